import type { XmlTree } from '../../sources/files/xml-tree.ts';
import { protocolError } from '../network/network-errors.ts';
import type { FetchLimits } from '../network.ts';
import type { SyncContext } from '../sync-source.ts';
import { explainStatus } from './dav-errors.ts';
import { sharedDomains } from './dav-presets.ts';
import { readDavSettings } from './dav-settings.ts';
import { readMultistatus } from './read-multistatus.ts';

/** One resource of a multistatus response. */
export interface DavResource {
  readonly url: URL;
  /** The status of the whole resource; undefined if its properties have statuses. */
  readonly status: number | undefined;
  /** The properties that were found. */
  readonly properties: readonly XmlTree[];
}

export interface DavRequest {
  readonly depth: '0' | '1';
  readonly body: string;
  readonly maxBytes: number;
}

export type DavPart =
  | { readonly kind: 'resource'; readonly resource: DavResource }
  | { readonly kind: 'token'; readonly token: string }
  /** The server redirected the client to this address. */
  | { readonly kind: 'url'; readonly url: URL };

/** A small server takes minutes to list a large calendar for the first time. */
const TIMEOUT_MS = 300_000;

export type DavClient = ReturnType<typeof createDavClient>;

/**
 * Sends the requests that read a WebDAV server. The password is sent only to hosts of the server that the owner named.
 */
export function createDavClient(context: SyncContext) {
  const { user, server } = readDavSettings(context.settings);
  const own = new URL(server);
  const authorization = `Basic ${Buffer.from(`${user}:${context.secret ?? ''}`).toString('base64')}`;

  const check = (url: URL): URL => {
    if (!isTrusted(own, url)) throw protocolError('The server refers to another server.');
    return url;
  };

  const send = async (
    url: URL,
    init: RequestInit,
    limits: Pick<FetchLimits, 'maxBytes' | 'timeoutMs'>,
    isDiscovery: boolean,
  ): Promise<Response> => {
    const headers = { ...(init.headers as Record<string, string>), authorization };
    const response = await context.network.fetch(
      check(url),
      { ...init, headers },
      {
        ...limits,
        signal: context.signal,
        redirects: isDiscovery ? 'other-hosts' : 'same-origin',
      },
    );
    const final = new URL(response.url);
    // The network sends no password to other origins. The request to a trusted origin is repeated with the password.
    if (response.status === 401 && final.origin !== url.origin) {
      await response.body?.cancel();
      return send(final, init, limits, false);
    }
    if (response.ok) return response;
    await response.body?.cancel();
    throw explainStatus(response);
  };

  const sendMultistatus = async function* (
    method: 'PROPFIND' | 'REPORT',
    url: URL,
    { depth, body, maxBytes }: DavRequest,
    isDiscovery = false,
  ): AsyncGenerator<DavPart> {
    const headers = { depth, 'content-type': 'application/xml; charset=utf-8' };
    const response = await send(
      url,
      { method, headers, body },
      { maxBytes, timeoutMs: TIMEOUT_MS },
      isDiscovery,
    );
    const base = new URL(response.url);
    if (response.status !== 207) {
      await response.body?.cancel();
      throw protocolError('The server did not answer as a WebDAV server does.');
    }
    yield { kind: 'url', url: base };
    for await (const part of readMultistatus(response)) {
      if (part.kind === 'token') yield part;
      else if (URL.canParse(part.href, base.href))
        yield { kind: 'resource', resource: { ...part, url: new URL(part.href, base) } };
    }
  };

  return {
    /** The address that the owner gave. */
    server: own,
    isTrusted: (url: URL) => isTrusted(own, url),
    propfind: (url: URL, request: DavRequest) => sendMultistatus('PROPFIND', url, request),
    report: (url: URL, request: DavRequest) => sendMultistatus('REPORT', url, request),
    /** A PROPFIND that may be redirected to another host, as from a well-known address. */
    discover: (url: URL, request: DavRequest) => sendMultistatus('PROPFIND', url, request, true),
    get: (url: URL, maxBytes: number, timeoutMs: number) =>
      send(url, { method: 'GET' }, { maxBytes, timeoutMs }, false),
  };
}

/** Returns whether a host belongs to the server that the owner named, so that it may receive the password. */
export function isTrusted(own: URL, other: URL): boolean {
  if (other.origin === own.origin) return true;
  if (other.protocol !== 'https:' || own.protocol !== 'https:') return false;
  if (other.username !== '' || other.password !== '') return false;
  if (other.hostname === own.hostname) return true;
  if (other.port !== '') return false;
  const isBelow = (domain: string) => other.hostname.endsWith(`.${domain}`);
  return (
    isBelow(own.hostname) ||
    sharedDomains.some((domain) => own.hostname.endsWith(`.${domain}`) && isBelow(domain))
  );
}
