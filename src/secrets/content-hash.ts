import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, hash, randomBytes } from 'node:crypto';

/** The secret of the import that runs. */
const secrets = new AsyncLocalStorage<string>();

/** Runs an import, whose keys depend on a secret of its store. Undefined for a store whose keys depend on no secret. */
export function withKeySecret<T>(secret: string | undefined, work: () => Promise<T>): Promise<T> {
  return secret === undefined ? work() : secrets.run(secret, work);
}

/** Creates the secret of a store. */
export function createKeySecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Hashes content for the key of a record. Apps see keys: without the secret they could guess hidden fields, and check each
 * guess against the key.
 */
export function hashForKey(content: string | Uint8Array): Buffer {
  const secret = secrets.getStore();
  return secret === undefined
    ? hash('sha256', content, 'buffer')
    : createHmac('sha256', secret).update(content).digest();
}
