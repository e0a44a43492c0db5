import type { Context, MiddlewareHandler } from 'hono';
import { AppError } from '../errors.ts';

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
 * Refuses requests for other hosts (DNS rebinding) and from pages of other origins. Scheme, host and port must all
 * match.
 */
export function guardHostAndOrigin(publicUrl: string, hosts: ReadonlySet<string>): MiddlewareHandler {
  const origins = new Set([publicUrl, ...[...hosts].map((host) => `http://${host}`)]);
  // Somebody on the network path can serve a page at the http form of an https origin.
  for (const origin of origins) {
    if (origins.has(origin.replace(/^http:/, 'https:')) && !origin.startsWith('https:'))
      origins.delete(origin);
  }
  const isAllowed = (c: Context, origin: string) =>
    origins.has(origin) ||
    isPublicDocument(c) ||
    // Our pages send no referrer; browsers then send "null" as the origin of their forms.
    (origin === 'null' && !isForApps(c) && c.req.header('sec-fetch-site') === 'same-origin');
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (!hosts.has(c.req.header('host') ?? '') || (origin !== undefined && !isAllowed(c, origin))) {
      throw new AppError('forbidden_origin', 'This server does not accept that Host or Origin.', {
        hint: 'Use the address it printed when it started, or set --public-url.',
      });
    }
    await next();
  };
}

/** Returns whether pages of every origin may read this: it describes how to connect, and no data. */
function isPublicDocument(c: Context): boolean {
  return c.req.method !== 'POST' && /^(\/mcp)?\/\.well-known\//.test(c.req.path);
}

/** Returns whether apps use this path. It has no pages and no forms. */
export function isForApps(c: Context): boolean {
  return /^\/(mcp|v1)(\/|$)/.test(c.req.path);
}

/** Returns whether a browser asks for a page. Programs get JSON. */
export function wantsPage(c: Context): boolean {
  if (isForApps(c) || c.req.path.endsWith('.json')) return false;
  return c.req.header('accept')?.includes('text/html') ?? false;
}
