import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../secrets/derive-key.ts';
import { hashToken } from '../../secrets/token.ts';

export interface ItemIds {
  /** Returns the stored hash of an item by its secret id or by a reference. */
  toHash(id: string): string;
  /**
   * Returns a signed reference to an item whose secret id is not known. Only this server can create one, so a stolen
   * hash is not a token.
   */
  toReference(hash: string): string;
}

const REFERENCE = /^ref\.([\w-]{43})\.([\w-]{43})$/;

export function createItemIds(secret: Uint8Array): ItemIds {
  const key = deriveKey(secret, 'oauth item reference');
  const sign = (hash: string) => createHmac('sha256', key).update(hash).digest('base64url');
  return {
    toHash(id) {
      const [, hash, mac] = REFERENCE.exec(id) ?? [];
      if (hash !== undefined && mac !== undefined) {
        if (timingSafeEqual(Buffer.from(mac), Buffer.from(sign(hash)))) return hash;
      }
      return hashToken(id);
    },
    toReference: (hash) => `ref.${hash}.${sign(hash)}`,
  };
}
