import { deriveKey } from './derive-key.ts';
import { openSealed, seal } from './seal.ts';

const PURPOSE = 'secret of an owner';

/** Encrypts the secret of one owner with that of the deployment. The result belongs to this owner only. */
export function wrapSecret(secret: Uint8Array, master: Uint8Array, ownerId: number): string {
  return seal(secret, deriveKey(master, PURPOSE), String(ownerId));
}

/** Returns the secret, or undefined if it was encrypted with another secret or for another owner. */
export function unwrapSecret(wrapped: string, master: Uint8Array, ownerId: number): Buffer | undefined {
  return openSealed(wrapped, deriveKey(master, PURPOSE), String(ownerId));
}
