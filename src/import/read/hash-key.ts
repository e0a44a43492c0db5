import { createHash } from 'node:crypto';

/** A short key made of what tells an item apart. The same parts, the same key, on every machine. */
export function hashKey(...parts: readonly (string | number | boolean | null | undefined)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('base64url')
    .slice(0, 22);
}
