import type { FetchLimits } from '../network.ts';
import { SyncError } from '../sync-source.ts';
import type { Connector } from './create-network.ts';
import { createDeadline } from './deadline.ts';
import { protocolError } from './network-errors.ts';
import { openResponse } from './open-response.ts';
import { type ReadRequest, sendRequest } from './send-request.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Methods that only read. */
const METHODS = new Set(['GET', 'PROPFIND', 'REPORT']);
/** Headers that are sent only to the origin that the owner named. */
const CREDENTIALS = ['authorization', 'cookie'];

/** Sends a request and follows redirects. Other origins receive no credentials and must have public addresses. */
export async function fetchGuarded(
  connector: Connector,
  given: string | URL,
  init: RequestInit,
  limits: FetchLimits,
): Promise<Response> {
  const deadline = createDeadline(limits);
  try {
    const first = checkUrl(new URL(given), connector.allowPrivate);
    let request = createRequest(first, init);
    for (let hops = 0; ; hops += 1) {
      const mayBePrivate = connector.allowPrivate && request.url.origin === first.origin;
      const response = await sendRequest(connector, request, mayBePrivate, deadline);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined)
        return openResponse(response, request.url, limits.maxBytes, deadline);
      response.destroy();
      if (hops === MAX_REDIRECTS) throw protocolError('The server redirects too many times.');
      request = redirect(request, location, limits.redirects ?? 'same-origin', response.statusCode);
    }
  } catch (error) {
    deadline.end();
    throw error;
  }
}

function createRequest(url: URL, init: RequestInit): ReadRequest {
  const method = (init.method ?? 'GET').toUpperCase();
  if (!METHODS.has(method)) throw new Error('Only reading methods are sent.');
  if (init.body !== undefined && init.body !== null && typeof init.body !== 'string')
    throw new Error('A body must be text.');
  const headers = new Headers(init.headers);
  return { url, method, headers: Object.fromEntries(headers), body: init.body ?? undefined };
}

function redirect(
  request: ReadRequest,
  location: string,
  allowed: NonNullable<FetchLimits['redirects']>,
  status: number | undefined,
): ReadRequest {
  const url = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
  if (url === undefined) throw protocolError('The server redirects to an invalid address.');
  // A redirect never weakens the connection, even in a private network.
  checkUrl(url, url.origin === request.url.origin);
  if (status === 303 && request.method !== 'GET')
    throw protocolError('The server answered a query with a page.');
  if (url.origin === request.url.origin) return { ...request, url };
  if (allowed === 'same-origin') throw protocolError('The server redirects to another server.');
  const headers = Object.entries(request.headers).filter(([name]) => !CREDENTIALS.includes(name));
  return { ...request, url, headers: Object.fromEntries(headers) };
}

function checkUrl(url: URL, mayBePlain: boolean): URL {
  if (url.username !== '' || url.password !== '')
    throw protocolError('The address contains a user name or a password.');
  // Whether it is loopback is checked when the name is resolved.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain))
    throw new SyncError('not_encrypted', 'The address does not use HTTPS.', 'Use an address with https.');
  return url;
}
