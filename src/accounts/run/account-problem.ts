import { AppError } from '../../errors.ts';
import { SyncError, type SyncErrorCode } from '../sync-source.ts';

/** Why the last run of an account failed, as it is stored. */
export interface AccountProblem {
  readonly code: SyncErrorCode;
  readonly message: string;
  readonly fix: string;
  readonly since: string;
}

/** Problems that repeating cannot solve: the account stops until the owner acts. */
const STOPPING: readonly SyncErrorCode[] = ['credentials', 'forbidden', 'private_address', 'not_encrypted'];

export function isStopping(code: SyncErrorCode): boolean {
  return STOPPING.includes(code);
}

/** Returns what the owner sees of an error. `report` logs an unexpected error and returns its id in the log. */
export function describeProblem(
  error: unknown,
  report: (error: unknown) => string,
): Omit<AccountProblem, 'since'> {
  if (error instanceof SyncError) return { code: error.code, message: error.message, fix: error.fix };
  if (error instanceof AppError)
    return { code: 'internal', message: error.message, fix: error.hint ?? 'pdpp tries again later.' };
  return {
    code: 'internal',
    message: 'The sync failed because of an error in pdpp.',
    fix: `pdpp tries again later. The log of the server has the details under ${report(error)}.`,
  };
}
