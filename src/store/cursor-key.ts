import { createHmac } from 'node:crypto';

/** Returns the key of cursors: the server's secret, or after a restore a key that only belongs to this restore. */
export function deriveCursorKey(secret: Uint8Array, restore: string | undefined): Uint8Array {
  return restore === undefined ? secret : createHmac('sha256', secret).update(restore).digest();
}
