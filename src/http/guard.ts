import type { MiddlewareHandler } from 'hono';
import { AppError, type ErrorDetails } from '../errors.ts';
import { createAccessFinder } from '../grants/grant.ts';
import { resourceOf } from '../oauth/resource.ts';
import type { Caller } from '../reads/admission.ts';
import type { Store } from '../store/store.ts';
import { type RefusalDeps, writeRefusal } from './source-address.ts';

/** A request without its body: a context of Hono, or the same parts from Node. */
export interface RequestHead {
  readonly req: { readonly method: string; readonly path: string; header(name: string): string | undefined };
  /** Node's request and response, if the request came through a socket. */
  readonly env: unknown;
}

/** Returns the headers that every answer has. */
export function answerHeaders(publicUrl: string): readonly (readonly [name: string, value: string])[] {
  return Object.entries({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  });
}

/** Sets these headers before the handler runs: adding headers to a finished answer would copy it. */
export function setAnswerHeaders(publicUrl: string): MiddlewareHandler {
  const headers = answerHeaders(publicUrl);
  return async (c, next) => {
    for (const [name, value] of headers) c.header(name, value);
    await next();
  };
}

/**
 * Returns the check that a request is for one of these hosts (against DNS rebinding), and not from a page of another
 * origin. Scheme, host and port must all match.
 */
export function createOriginCheck(
  publicUrl: string,
  hosts: ReadonlySet<string>,
): (c: RequestHead) => boolean {
  const origins = new Set([publicUrl, ...[...hosts].map((host) => `http://${host}`)]);
  // Somebody on the network path can serve a page at the http form of an https origin.
  for (const origin of origins) {
    if (origins.has(origin.replace(/^http:/, 'https:')) && !origin.startsWith('https:'))
      origins.delete(origin);
  }
  const isAllowed = (c: RequestHead, origin: string) =>
    origins.has(origin) ||
    isPublicDocument(c) ||
    // Our pages send no referrer; browsers then send "null" as the origin of their forms.
    (origin === 'null' && !isForApps(c) && c.req.header('sec-fetch-site') === 'same-origin');
  return (c) => {
    const origin = c.req.header('origin');
    return hosts.has(c.req.header('host') ?? '') && (origin === undefined || isAllowed(c, origin));
  };
}

/** Refuses requests that do not pass the check. */
export function guardHostAndOrigin(isAllowed: (c: RequestHead) => boolean): MiddlewareHandler {
  return async (c, next) => {
    if (!isAllowed(c)) {
      throw new AppError('forbidden_origin', 'This server does not accept that Host or Origin.', {
        hint: 'Use the address it printed when it started, or set --public-url.',
      });
    }
    await next();
  };
}

/** Returns whether pages of every origin may read this: it describes how to connect, and no data. */
function isPublicDocument(c: RequestHead): boolean {
  return c.req.method !== 'POST' && /^(\/mcp)?\/\.well-known\//.test(c.req.path);
}

/** Returns whether apps use this path. It has no pages and no forms. */
export function isForApps(c: RequestHead): boolean {
  return /^\/(mcp|v1)(\/|$)/.test(c.req.path);
}

/** Returns whether a browser asks for a page. Programs get JSON. */
export function wantsPage(c: RequestHead): boolean {
  if (isForApps(c) || c.req.path.endsWith('.json')) return false;
  return c.req.header('accept')?.includes('text/html') ?? false;
}

/** One scheme, one token, nothing after it: a proxy might read anything else differently. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;

export interface CallerDeps extends RefusalDeps {
  readonly store: Store;
  readonly publicUrl: string;
}

/**
 * Creates a function that returns the caller of a request by its token. Unknown, malformed, expired and revoked tokens
 * get the same refusal, which is written to the event log.
 */
export function createCallerFinder(deps: CallerDeps): (c: RequestHead) => Promise<Caller> {
  const findAccess = createAccessFinder(deps.store.read, resourceOf(deps.publicUrl));
  return async (c) => {
    const header = c.req.header('authorization');
    // A client without a token is about to sign in: that is no event.
    if (header === undefined) throw new Unauthorized({ withoutToken: true });
    const token = BEARER.exec(header)?.[1];
    const access = token === undefined ? undefined : await findAccess(token, deps.now());
    if (access?.kind === 'client' || access?.kind === 'owner') return access;
    await writeRefusal(deps, 'refused_bearer', c);
    throw new Unauthorized({ ended: access?.kind === 'ended' });
  };
}

interface UnauthorizedOptions extends ErrorDetails {
  readonly withoutToken?: boolean;
  readonly ended?: boolean;
}

/** Where REST says that a grant has ended, MCP says only that the token is not valid. */
export class Unauthorized extends AppError {
  readonly withoutToken: boolean;
  readonly ended: boolean;

  constructor({ withoutToken = false, ended = false, ...details }: UnauthorizedOptions = {}) {
    super('unauthorized', 'A valid access token is needed.', {
      ...details,
      hint: 'Sign in through the address in resource_metadata, as MCP clients do by themselves.',
    });
    this.withoutToken = withoutToken;
    this.ended = ended;
  }
}

/** RFC 9728: names the document that says how to get a token. Without credentials there is no error to name. */
export function challenge(publicUrl: string, error: Unauthorized): string {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`;
  return error.withoutToken ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`;
}
