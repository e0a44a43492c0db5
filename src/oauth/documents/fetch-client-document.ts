import { promises as dns, type LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type ClientDocument, checkDocument, findDocumentUrl } from './check-document.ts';
import { findPinnedDocument } from './pinned-documents.ts';
import { isSpecialAddress } from './special-address.ts';

const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_CONCURRENT_FETCHES = 10;
const TIMEOUT_MS = 5_000;
const JSON_TYPE = /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

/** The only error that callers see: details would let strangers map the owner's network. */
export class ClientDocumentError extends Error {
  constructor(cause: unknown) {
    super('The client metadata document could not be used.', { cause });
    this.name = 'ClientDocumentError';
  }
}

export interface DocumentFetchDeps {
  readonly findPinned: (clientId: string) => ClientDocument | undefined;
  readonly lookup: (hostname: string, options: { all: true }) => Promise<LookupAddress[]>;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly timeoutMs: number;
}

/**
 * Creates the `fetch` of the authorization server: it takes a client id and returns its normalised metadata document.
 * Address, timeout and headers are ours, not the caller's.
 */
export function createDocumentFetch(deps: Partial<DocumentFetchDeps> = {}) {
  const { findPinned = findPinnedDocument, timeoutMs = TIMEOUT_MS } = deps;
  const { lookup = dns.lookup, request = https.request } = deps;
  let underWay = 0;

  return async (url: string | URL): Promise<Response> => {
    const clientId = String(url);
    // A pinned document needs no network: it was reviewed, works offline, and its publisher learns nothing.
    const pinned = findPinned(clientId);
    if (pinned) return answer(pinned);
    if (underWay >= MAX_CONCURRENT_FETCHES)
      throw new ClientDocumentError(new Error('Too many fetches at once.'));
    underWay += 1;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const target = findDocumentUrl(clientId);
      if (!target) throw new Error('The client id is not the URL of a document.');
      const addresses = await resolvePublic(target.hostname, lookup, signal);
      const response = await send(request, target, addresses, signal);
      const document = checkDocument(clientId, await readJson(response));
      return answer(document, response.headers['cache-control']);
    } catch (cause) {
      throw new ClientDocumentError(cause);
    } finally {
      underWay -= 1;
    }
  };
}

function answer(document: ClientDocument, cacheControl?: string): Response {
  return new Response(JSON.stringify(document), {
    headers: {
      'content-type': 'application/json',
      ...(cacheControl === undefined ? {} : { 'cache-control': cacheControl }),
    },
  });
}

/** Returns all addresses of a host. One internal address refuses the host, because any of them may be used. */
async function resolvePublic(
  hostname: string,
  lookup: DocumentFetchDeps['lookup'],
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  const addresses =
    family === 0 ? await inTime(lookup(hostname, { all: true }), signal) : [{ address: literal, family }];
  if (addresses.length === 0 || addresses.some(({ address }) => isSpecialAddress(address))) {
    throw new Error('The host has a special-purpose address, or none.');
  }
  return addresses;
}

function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function send(
  request: DocumentFetchDeps['request'],
  url: URL,
  addresses: LookupAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      // A new connection to the addresses just checked: a second lookup could differ (rebinding), and a pooled
      // connection was not checked.
      agent: false,
      lookup: answerWith(addresses),
      rejectUnauthorized: true,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'pdpp' },
      signal,
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    // A protocol switch closes the connection without either event.
    sent.on('close', () => reject(new Error('The connection was closed without a response.')));
    sent.end();
  });
}

function answerWith(addresses: LookupAddress[]): LookupFunction {
  return (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? '', first?.family);
  };
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  try {
    // Redirects are not followed.
    if (response.statusCode !== 200) throw new Error('The status is not 200.');
    if (!JSON_TYPE.test(response.headers['content-type'] ?? '')) throw new Error('The type is not JSON.');
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response) {
      length += chunk.length;
      if (length > MAX_DOCUMENT_BYTES) throw new Error('The document is longer than 5 KiB.');
      chunks.push(chunk);
    }
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } finally {
    response.destroy();
  }
}
