import type { EventEmitter } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ServeMcp } from '../../http/mcp/mcp.ts';
import { createPerformer } from '../../reads/granted-read.ts';
import { createReadRunner } from '../../reads/run-read.ts';
import type { Store } from '../../store/store.ts';

/** A word that no record contains. It has a non-ASCII letter, so that the full tokenizer runs. */
const UNKNOWN_WORD = 'qzxjvwkö';

const DELAY_MS = 25;

/** Gives way to clients that were waiting for the server. */
const PAGES_DELAY_MS = 300;

const PROTOCOL = '2026-07-28';

/** Sends a request to the app itself. */
type SendRequest = (url: string, init: RequestInit) => Promise<Response> | Response;

/**
 * Makes a few calls before the first client does: compiling libraries and building schemas takes about 90 ms. Writes
 * neither audit entries nor events. Stops when a client connects.
 */
export async function warmUp(
  server: Pick<EventEmitter, 'once' | 'off'>,
  store: Store,
  request: SendRequest,
  origin: string,
): Promise<void> {
  let hasClient = false;
  const stop = () => {
    hasClient = true;
  };
  server.once('connection', stop);
  try {
    // Clients that were waiting for the server connect within this time.
    await sleep(DELAY_MS);
    for (const step of listSteps(store, request, origin)) {
      await nextTurn();
      if (hasClient) return;
      await step();
    }
  } catch {
    // The same error is reported to the first client.
  } finally {
    server.off('connection', stop);
  }
}

/** Loads the pages and the authorization server, so that the first person who signs in does not wait for them. */
export async function loadPages(load: () => Promise<unknown>): Promise<void> {
  await sleep(PAGES_DELAY_MS, undefined, { ref: false });
  // The same error is reported to the first person.
  await load().catch(() => {});
}

function listSteps(store: Store, request: SendRequest, origin: string): (() => Promise<unknown>)[] {
  const perform = createPerformer({
    store: store.read,
    cursorKey: store.cursorKey,
    dictionary: { findSimilar: async () => [], findContaining: async () => [] },
    origin,
  });
  const runRead = createReadRunner({
    perform,
    enter: async () => () => {},
    audit: async () => {},
    log: () => {},
    now: () => new Date(),
  });
  let mcp: ServeMcp | undefined;
  const send = async (method: string, params: object) => {
    const { createMcp } = await import('../../http/mcp/mcp.ts');
    mcp ??= createMcp(runRead, { version: '', origin }, async () => {});
    const [url, { body, ...init }] = buildRequest(origin, method, params);
    const { response } = await mcp(new Request(url, { ...init, body }), JSON.parse(body), { kind: 'owner' });
    return response.text();
  };
  const call = (name: string, args: object) => () => send('tools/call', { name, arguments: args });
  return [
    // Refused without a token, but builds the router.
    async () => request(...buildRequest(origin, 'tools/list', {})),
    () => send('tools/list', {}),
    call('schema', {}),
    call('search', { query: UNKNOWN_WORD, limit: 1 }),
    async () => {
      const { words } = await store.read.stored.words(0, 2);
      return call('search', { query: [...words, UNKNOWN_WORD].join(' '), limit: 2 })();
    },
  ];
}

function buildRequest(
  origin: string,
  method: string,
  params: object,
): [url: string, init: { method: string; headers: Record<string, string>; body: string }] {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL,
    'io.modelcontextprotocol/clientInfo': { name: 'warm-up', version: '' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  const headers = {
    host: new URL(origin).host,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': PROTOCOL,
    'mcp-method': method,
    ...name,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  return [`${origin}/mcp`, { method: 'POST', headers, body }];
}
