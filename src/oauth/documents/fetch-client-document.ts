import { promises as dns, type LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type ClientDocument, checkDocument, findDocumentUrl } from './check-document.ts';
import { findPinnedDocument } from './pinned-documents.ts';
import { isSpecialAddress } from './special-address.ts';

const MAX_BYTES = 5 * 1024;
const MAX_AT_ONCE = 10;
const LIMIT_MS = 5_000;
const JSON_TYPE = /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

/** Whatever went wrong, the caller sees this: a page that told more would map the owner's network. */
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
  readonly limitMs: number;
}

/**
 * The `fetch` of the authorization server: a client id in, its normalised metadata document out. Nothing
 * the caller would add to the request is taken over: the address, the time and the headers are ours.
 */
export function createDocumentFetch(deps: Partial<DocumentFetchDeps> = {}) {
  const { findPinned = findPinnedDocument, limitMs = LIMIT_MS } = deps;
  const { lookup = dns.lookup, request = https.request } = deps;
  let underWay = 0;

  return async (url: string | URL): Promise<Response> => {
    const clientId = String(url);
    // Pinned first, and then no network at all: the copy is what was reviewed, it works on a server at home
    // that is offline, and the client's maker does not learn who runs one.
    const pinned = findPinned(clientId);
    if (pinned) return answer(pinned);
    if (underWay >= MAX_AT_ONCE) throw new ClientDocumentError(new Error('Too many fetches at once.'));
    underWay += 1;
    try {
      const signal = AbortSignal.timeout(limitMs);
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

/** Every address of a host. One that leads inside condemns them all: which one is dialled is not ours to say. */
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
      // A second look-up could answer differently (rebinding) and a pooled connection was checked by nobody,
      // so the connection is new and made to the addresses just checked.
      agent: false,
      lookup: answerWith(addresses),
      rejectUnauthorized: true,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'pdpp' },
      signal,
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    // A protocol switch ends the connection with neither of the two.
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
    // Redirects are answers like any other that is not 200.
    if (response.statusCode !== 200) throw new Error('The status is not 200.');
    if (!JSON_TYPE.test(response.headers['content-type'] ?? '')) throw new Error('The type is not JSON.');
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new Error('The document is longer than 5 KiB.');
      chunks.push(chunk);
    }
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } finally {
    response.destroy();
  }
}
