import type { LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { createFixedLookup, type Lookup, lookupHost, resolveHost } from '../../network/resolve-host.ts';
import { isSpecialAddress } from '../../network/special-address.ts';
import { type ClientDocument, checkDocument, findDocumentUrl } from './check-document.ts';
import { findPinnedDocument } from './pinned-documents.ts';

const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_CONCURRENT_FETCHES = 10;
const TIMEOUT_MS = 5_000;
const JSON_TYPE = /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;

/** The only error that callers see: details would let anyone map the owner's network. */
export class ClientDocumentError extends Error {
  constructor(cause: unknown) {
    super('The client metadata document could not be used.', { cause });
    this.name = 'ClientDocumentError';
  }
}

export interface DocumentFetchDeps {
  readonly findPinned: (clientId: string) => ClientDocument | undefined;
  readonly lookup: Lookup;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  readonly timeoutMs: number;
}

/**
 * Creates the `fetch` of the authorization server: it takes a client id and returns its normalised metadata document.
 * Address, timeout and headers are ours, not the caller's.
 */
export function createDocumentFetch(deps: Partial<DocumentFetchDeps> = {}) {
  const { findPinned = findPinnedDocument, timeoutMs = TIMEOUT_MS } = deps;
  const { lookup = lookupHost, request = https.request } = deps;
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
      const addresses = await resolveHost(target.hostname, { lookup, isAllowed, signal });
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

const isAllowed = (address: string) => !isSpecialAddress(address);

function send(
  request: DocumentFetchDeps['request'],
  url: URL,
  addresses: LookupAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      // A pooled connection was not checked.
      agent: false,
      lookup: createFixedLookup(addresses),
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
