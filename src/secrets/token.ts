import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Creates a secret: 256 random bits with a prefix for secret scanners. */
export function createToken(): string {
  return `pdpp_${randomBytes(32).toString('base64url')}`;
}

/** Returns the hash under which a secret is stored. A slow hash is unnecessary, because the secret is random. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Creates a short random id that needs no escaping. */
export function createId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}
