import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../secrets/derive-key.ts';
import { hashToken } from '../../secrets/token.ts';

export interface ItemIds {
  /** The hash an item is filed under, for its secret id or for a reference made here. */
  toHash(id: string): string;
  /**
   * Stands in for a secret that is no longer known: where one item points at another, or is found by
   * something else than its id. Only this server can make one, so nobody can present a stolen hash as a token.
   */
  toReference(hash: string): string;
}

const REFERENCE = /^ref\.([\w-]{43})\.([\w-]{43})$/;

export function createItemIds(secret: Uint8Array): ItemIds {
  const key = deriveKey(secret, 'oauth item reference');
  const seal = (hash: string) => createHmac('sha256', key).update(hash).digest('base64url');
  return {
    toHash(id) {
      const [, hash, mac] = REFERENCE.exec(id) ?? [];
      if (hash !== undefined && mac !== undefined) {
        if (timingSafeEqual(Buffer.from(mac), Buffer.from(seal(hash)))) return hash;
      }
      return hashToken(id);
    },
    toReference: (hash) => `ref.${hash}.${seal(hash)}`,
  };
}
