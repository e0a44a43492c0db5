import { hkdfSync } from 'node:crypto';

/** A key of its own for one purpose, from the secret that lies beside the store. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}
