import type { Context, MiddlewareHandler } from 'hono';
import { AppError } from '../errors.ts';
import { isForApps } from './request-kind.ts';

/**
 * Answers only to its own names. A page that resolves its own name to this address (DNS rebinding) sends
 * its own Host; a page anywhere else sends its own Origin. Scheme, host and port must all be ours.
 */
export function guardHostAndOrigin(publicUrl: string, hosts: ReadonlySet<string>): MiddlewareHandler {
  const origins = new Set([publicUrl, ...[...hosts].map((host) => `http://${host}`)]);
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
