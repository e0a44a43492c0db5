import type { Context } from 'hono';
import { AppError } from '../../errors.ts';
import { setPassphrase } from '../../owner/passphrase.ts';
import type { RouteDeps } from '../route-deps.ts';

/** Sets the passphrase, ends all sessions and signs this browser in, in one transaction. `alongside` can cancel it. */
export async function replacePassphrase(
  { store, owner, writeEvent, now }: RouteDeps,
  c: Context,
  passphrase: string,
  alongside: () => Promise<boolean> = async () => true,
): Promise<void> {
  // Dated before the new session: at startup, sessions older than this event are ended.
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

/** Returns the text that a form shows for a refused passphrase. Rethrows other errors. */
export function explainRefusal(error: unknown): string {
  if (!(error instanceof AppError) || !['invalid_argument', 'too_many_requests'].includes(error.code))
    throw error;
  return `${error.message} ${error.hint ?? ''}`;
}
