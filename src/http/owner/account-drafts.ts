import type { AccountInput } from '../../accounts/account-service.ts';
import { deriveKey } from '../../secrets/derive-key.ts';
import { openSealed, seal } from '../../secrets/seal.ts';
import { MINUTE_MS } from '../../time/durations.ts';

const MAX_AGE_MS = 30 * MINUTE_MS;

interface Draft {
  readonly at: number;
  readonly order: AccountInput;
}

/**
 * Encrypts a tested account between the test and "Add account", so that the browser carries it without being able to
 * read the password. A draft belongs to one session and expires.
 */
export function createAccountDrafts(secret: Uint8Array, now: () => Date) {
  const key = deriveKey(secret, 'account drafts');
  return {
    seal(input: AccountInput, csrf: string): string {
      const draft: Draft = { at: now().getTime(), order: input };
      return seal(Buffer.from(JSON.stringify(draft)), key, csrf);
    },
    open(sealed: string, csrf: string): AccountInput | undefined {
      const plain = openSealed(sealed, key, csrf);
      if (plain === undefined) return undefined;
      const { at, order: input } = JSON.parse(plain.toString('utf8')) as Draft;
      const age = now().getTime() - at;
      return age >= 0 && age <= MAX_AGE_MS ? input : undefined;
    },
  };
}
