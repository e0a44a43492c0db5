import type { Context } from 'hono';
import type { Throttle } from '../../limits/throttle.ts';
import { forward } from '../../oauth/forward.ts';
import { setPageHeaders } from '../page-headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { DEVICE_HEADERS } from './oauth-pages.tsx';

/** Headers of the connection, and those that would let pages of other origins read the answer. */
const DROPPED_HEADERS = /^(connection|content-length|date|access-control-.*)$/;

export interface Change {
  readonly search?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Forwards a request to the library with another query or body, and adds our headers to the answer. */
export type ForwardRequest = (c: Context, change?: Change) => Promise<Response>;

export interface OAuthRouteDeps extends RouteDeps {
  readonly forwardRequest: ForwardRequest;
  /** Limits requests of unknown clients, because each one is stored until it expires and written to the event log. */
  readonly throttleRequests: Throttle;
}

export function createRequestForwarder({ server, store, publicUrl }: RouteDeps): ForwardRequest {
  return async (c, change = {}) => {
    const url = new URL(c.req.path, publicUrl);
    url.search = change.search ?? new URL(c.req.url).search;
    const request = new Request(url, {
      method: c.req.method,
      headers: writeHeaders(c.req.raw.headers, change),
      ...(change.body === undefined ? {} : { body: change.body }),
    });
    const answer = await forward({ provider: server.provider, store: store.write, publicUrl }, request);
    if (answer.headers.get('content-type')?.startsWith('text/html')) setPageHeaders(c);
    for (const [name, value] of answer.headers) {
      if (DROPPED_HEADERS.test(name)) continue;
      c.header(name, name === 'location' ? writeSpaces(value) : value, { append: name === 'set-cookie' });
    }
    return c.body(await answer.text(), answer.status as 200);
  };
}

function writeHeaders(sent: Headers, change: Change): Headers {
  const headers = new Headers(sent);
  for (const name of Object.values(DEVICE_HEADERS)) headers.delete(name);
  for (const [name, value] of new Headers(change.headers)) headers.set(name, value);
  // The guard has checked the origin; the library would allow it in its answer.
  for (const name of ['origin', 'transfer-encoding']) headers.delete(name);
  if (change.body !== undefined) headers.set('content-length', String(Buffer.byteLength(change.body)));
  return headers;
}

/** Encodes spaces as %20. Codex and others show an error without decoding plus signs. */
function writeSpaces(location: string): string {
  return location.replace(/[?#].*/s, (parameters) => parameters.replaceAll('+', '%20'));
}
