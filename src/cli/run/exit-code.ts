import { ClientError } from '../../client/client-error.ts';
import { AppError } from '../../errors.ts';
import { UsageError } from './call.ts';

const EXIT_CODES: Partial<Record<AppError['code'], number>> = {
  store_unusable: 3,
  not_found: 4,
  unknown_stream: 4,
  unknown_connection: 4,
  disk_full: 5,
  busy: 5,
  too_many_requests: 5,
  unauthorized: 6,
  grant_revoked: 6,
};

/**
 * 0 done, 1 a bug, 2 a call that makes no sense, 3 an unusable store, 4 something named is not there,
 * 5 try again, 6 refused: some lines of an ingest, or the access to a server, which is not given or has ended.
 */
export function exitCode(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (error instanceof ClientError) return error.exitCode;
  return error instanceof AppError ? (EXIT_CODES[error.code] ?? 2) : 1;
}
