import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '../secrets/derive-key.ts';

const CIPHER = 'aes-256-gcm';
const PURPOSE = 'credentials of accounts';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a password or token with a key derived from the server secret. Only the same account can decrypt the result. */
export function encryptCredentials(credentials: string, secret: Uint8Array, accountId: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(secret, PURPOSE), iv);
  cipher.setAAD(Buffer.from(accountId));
  const text = Buffer.concat([cipher.update(credentials, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url');
}

/** Returns the password or token; undefined if it was encrypted with another server secret or is damaged. */
export function decryptCredentials(
  encrypted: string,
  secret: Uint8Array,
  accountId: string,
): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, deriveKey(secret, PURPOSE), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(accountId));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  } catch {
    return undefined;
  }
}
