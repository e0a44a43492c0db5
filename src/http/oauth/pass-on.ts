import type { Context } from 'hono';
import type { Throttle } from '../../limits/throttle.ts';
import { forward } from '../../oauth/forward.ts';
import { setPageHeaders } from '../page-headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { DEVICE_HEADERS } from './oauth-pages.tsx';

/** What belongs to one answer on its way would be wrong on another, and no page of another origin is to read it. */
const NOT_PASSED_ON = /^(connection|content-length|date|access-control-.*)$/;

export interface Change {
  readonly search?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Hands a request on to the library, with another query or body, and dresses the answer like all of ours. */
export type PassOn = (c: Context, change?: Change) => Promise<Response>;

export interface OAuthRouteDeps extends RouteDeps {
  readonly passOn: PassOn;
  /** Each request of a stranger is remembered until it runs out, and noted for the owner. */
  readonly throttleAsking: Throttle;
}

export function createPassOn({ server, store, publicUrl }: RouteDeps): PassOn {
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
      if (NOT_PASSED_ON.test(name)) continue;
      c.header(name, name === 'location' ? writeSpaces(value) : value, { append: name === 'set-cookie' });
    }
    return c.body(await answer.text(), answer.status as 200);
  };
}

function writeHeaders(sent: Headers, change: Change): Headers {
  const headers = new Headers(sent);
  for (const name of Object.values(DEVICE_HEADERS)) headers.delete(name);
  for (const [name, value] of new Headers(change.headers)) headers.set(name, value);
  // Which origins are answered was decided before; the library would reflect them.
  for (const name of ['origin', 'transfer-encoding']) headers.delete(name);
  if (change.body !== undefined) headers.set('content-length', String(Buffer.byteLength(change.body)));
  return headers;
}

/** Codex and others print an error as it came: a space written as a plus sign would be shown as one. */
function writeSpaces(location: string): string {
  return location.replace(/[?#].*/s, (parameters) => parameters.replaceAll('+', '%20'));
}
