import type { Context, MiddlewareHandler } from 'hono';
import { AppError } from '../errors.ts';
import type { FindAccess } from '../grants/access.ts';
import type { Caller } from '../reads/caller.ts';

/** One scheme, one token, nothing after it: what a proxy might read differently is refused. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * Answers only to its own names. A page that resolves its own name to this address (DNS rebinding) sends
 * its own Host; a page anywhere else sends its own Origin. Scheme, host and port must all be ours.
 */
export function checkOrigin(hosts: ReadonlySet<string>, origins: ReadonlySet<string>): MiddlewareHandler {
  // A page at the http form of an https origin is whoever sits on the wire.
  const own = new Set(
    [...origins].filter(
      (origin) => !origins.has(origin.replace(/^http:/, 'https:')) || origin.startsWith('https:'),
    ),
  );
  const isOurs = (c: Context, origin: string) =>
    own.has(origin) ||
    isPublicDocument(c) ||
    // Our own pages send no referrer, and then a browser does not name the origin of their forms either.
    (origin === 'null' && !isForApps(c) && c.req.header('sec-fetch-site') === 'same-origin');
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (!hosts.has(c.req.header('host') ?? '') || (origin !== undefined && !isOurs(c, origin))) {
      throw new AppError('forbidden_origin', 'This server does not answer to that Host or Origin.', {
        hint: 'Use the address it printed when it started, or set --public-url.',
      });
    }
    await next();
  };
}

/** What every web page may read: how to get in says nothing about what is inside. */
function isPublicDocument(c: Context): boolean {
  return c.req.method !== 'POST' && /^(\/mcp)?\/\.well-known\//.test(c.req.path);
}

/** Where there are no pages and no forms of ours. */
export function isForApps(c: Context): boolean {
  return /^\/(mcp|v1)(\/|$)/.test(c.req.path);
}

/** The caller behind the token, or a refusal. Unknown, malformed, expired and revoked tokens look the same. */
export async function findCaller(c: Context, findAccess: FindAccess, now: Date): Promise<Caller> {
  const header = c.req.header('authorization');
  const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
  if (token === undefined) throw unauthorized(header === undefined);
  const access = await findAccess(token, now);
  if (access.kind === 'unknown' || access.kind === 'ended')
    throw unauthorized(false, access.kind === 'ended');
  return access;
}

/** Where REST may say that a grant has ended, MCP says only that the token is not valid. */
export class Unauthorized extends AppError {
  readonly withoutToken: boolean;
  readonly ended: boolean;

  constructor(withoutToken: boolean, ended: boolean) {
    super('unauthorized', 'A valid access token is needed.', {
      hint: 'Sign in through the address in resource_metadata, as MCP clients do by themselves.',
    });
    this.withoutToken = withoutToken;
    this.ended = ended;
  }
}

function unauthorized(withoutToken: boolean, ended = false): Unauthorized {
  return new Unauthorized(withoutToken, ended);
}

/** RFC 9728: tells a client where to learn how to get a token. Without credentials no error is named. */
export function challenge(publicUrl: string, error: Unauthorized): string {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`;
  return error.withoutToken ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}
