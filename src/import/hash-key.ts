import { hash } from 'node:crypto';

/** Returns a short key made of the parts. The same parts give the same key on every machine. */
export function hashKey(...parts: readonly (string | number | boolean | null | undefined)[]): string {
  return hash('sha256', JSON.stringify(parts.map((part) => part ?? null)), 'base64url').slice(0, 22);
}
