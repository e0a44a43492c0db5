import { hashForKey } from '../secrets/content-hash.ts';

/** Returns a short key made of the parts. In one store, the same parts give the same key. */
export function hashKey(...parts: readonly (string | number | boolean | null | undefined)[]): string {
  return hashBytes(JSON.stringify(parts.map((part) => part ?? null)));
}

/** Returns a short key made of the content of a file. */
export function hashBytes(content: string | Uint8Array): string {
  return hashForKey(content).toString('base64url').slice(0, 22);
}
