import { hkdfSync } from 'node:crypto';

/** Derives the key for one purpose from the server secret. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}
