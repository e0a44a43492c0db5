import { scryptSync } from 'node:crypto';
import { PASSPHRASE } from './oauth-client.ts';
import type { World } from './world.ts';

/** The owner's passphrase at a cost that a test can pay a hundred times over. */
export function setCheapPassphrase({ store }: World): void {
  const salt = Buffer.alloc(16, 1);
  const key = scryptSync(PASSPHRASE, salt, 32, { N: 1_024, r: 1, p: 1 });
  const value = ['scrypt', 1_024, 1, 1, salt.toString('base64'), key.toString('base64')].join('$');
  store.write.raw
    .prepare(`insert or replace into settings (name, value) values ('owner_passphrase', ?)`)
    .run(value);
}
