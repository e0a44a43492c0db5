import type { Context } from 'hono';
import { AppError } from '../errors.ts';
import type { FindAccess } from '../grants/access.ts';
import type { Caller } from '../reads/admission.ts';

/** One scheme, one token, nothing after it: what a proxy might read differently is refused. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/** The caller behind the token, or a refusal. Unknown, malformed, expired and revoked tokens look the same. */
export async function findCaller(c: Context, findAccess: FindAccess, now: Date): Promise<Caller> {
  const header = c.req.header('authorization');
  const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
  if (token === undefined) throw new Unauthorized({ withoutToken: header === undefined });
  const access = await findAccess(token, now);
  if (access.kind === 'unknown' || access.kind === 'ended')
    throw new Unauthorized({ ended: access.kind === 'ended' });
  return access;
}

/** Where REST may say that a grant has ended, MCP says only that the token is not valid. */
export class Unauthorized extends AppError {
  readonly withoutToken: boolean;
  readonly ended: boolean;

  constructor({ withoutToken = false, ended = false } = {}) {
    super('unauthorized', 'A valid access token is needed.', {
      hint: 'Sign in through the address in resource_metadata, as MCP clients do by themselves.',
    });
    this.withoutToken = withoutToken;
    this.ended = ended;
  }
}

/** RFC 9728: tells a client where to learn how to get a token. Without credentials no error is named. */
export function challenge(publicUrl: string, error: Unauthorized): string {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`;
  return error.withoutToken ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}
