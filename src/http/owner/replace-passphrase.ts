import type { Context } from 'hono';
import { AppError } from '../../errors.ts';
import { setPassphrase } from '../../owner/passphrase.ts';
import type { RouteDeps } from '../route-deps.ts';

/**
 * Sets the passphrase, ends all sessions and signs this browser in, in one transaction. If `alongside` says no, all stays
 * as it was.
 */
export async function replacePassphrase(
  { store, owner, writeEvent, now }: RouteDeps,
  c: Context,
  passphrase: string,
  alongside: () => Promise<boolean> = async () => true,
): Promise<void> {
  // Dated before the session that comes with it: at a start, sessions older than the event are ended again.
  const at = now();
  const replaceSessions = async () => {
    if (!(await alongside())) return false;
    await owner.signOutAll();
    await owner.signIn(c);
    return true;
  };
  await setPassphrase(store.write, passphrase, replaceSessions, at);
  await writeEvent({ kind: 'passphrase_set' }, at);
}

/** What a form says about a passphrase that was refused. Other errors are thrown on. */
export function explainRefusal(error: unknown): string {
  if (!(error instanceof AppError) || !['invalid_argument', 'too_many_requests'].includes(error.code))
    throw error;
  return `${error.message} ${error.hint ?? ''}`;
}
