import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A new secret: 256 random bits behind a prefix that secret scanners can know. */
export function createToken(): string {
  return `pdpp_${randomBytes(32).toString('base64url')}`;
}

/** Only this is ever stored. The secret has full entropy, so a plain hash is as good as a slow one. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** A short name that nobody can guess and that needs no escaping anywhere. */
export function createId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}
