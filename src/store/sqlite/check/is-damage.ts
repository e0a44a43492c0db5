import { AppError } from '../../../errors.ts';

/** Whether an error says that a file cannot be read for what it holds, not for who else is using it. */
export function isDamage(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'store_unusable';
  const { code = '' } = error as { code?: string };
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_READ)/.test(code);
}
