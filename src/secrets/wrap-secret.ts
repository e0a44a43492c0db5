import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

const CIPHER = 'aes-256-gcm';
const PURPOSE = 'secret of an owner';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts the secret of one owner with that of the deployment. The result belongs to this owner only. */
export function wrapSecret(secret: Uint8Array, master: Uint8Array, ownerId: number): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(master, PURPOSE), iv);
  cipher.setAAD(Buffer.from(String(ownerId)));
  return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** Returns the secret, or undefined if it was encrypted with another secret or for another owner. */
export function unwrapSecret(wrapped: string, master: Uint8Array, ownerId: number): Buffer | undefined {
  const bytes = Buffer.from(wrapped, 'base64url');
  const decipher = createDecipheriv(CIPHER, deriveKey(master, PURPOSE), bytes.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(String(ownerId)));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
