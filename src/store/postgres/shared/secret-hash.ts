import { createHash } from 'node:crypto';

/** The setting with which processes check that they have the same secret. */
export const SECRET_SETTING = 'server_secret_hash';

export function hashSecret(secret: Uint8Array): string {
  return createHash('sha256').update('pdpp server secret').update(secret).digest('base64url');
}
