import type { EventEmitter } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createMcp } from '../../http/mcp/mcp.ts';
import { createReadRunner } from '../../reads/run-read.ts';
import type { SqliteStore } from '../../store/sqlite/open-store.ts';

/** A word that nothing holds, so that what is done for one is done too; not of plain letters alone, which are read by simpler rules. */
const NO_WORD = 'qzxjvwkö';

const BEFORE_MS = 25;

const PROTOCOL = '2026-07-28';

/** Asks the app itself. */
type Ask = (url: string, init: RequestInit) => Promise<Response> | Response;

/**
 * Does once, for nobody, what the first calls would wait for, about 90 ms of processor time: libraries are compiled and
 * schemas built when they are first used. Nothing is written down, because nobody reads: neither in the audit nor as an event. Whoever asks meanwhile comes
 * first, and the rest is left to them.
 */
export async function warmUp(
  server: Pick<EventEmitter, 'once' | 'off'>,
  store: SqliteStore,
  request: Ask,
  origin: string,
): Promise<void> {
  let isAsked = false;
  const stop = () => {
    isAsked = true;
  };
  server.once('connection', stop);
  try {
    // Whoever waited for the server to listen is here by then.
    await sleep(BEFORE_MS);
    for (const step of stepsOf(store, request, origin)) {
      await nextTurn();
      if (isAsked) return;
      await step();
    }
  } catch {
    // What fails here fails again for whoever asks, and is told to them.
  } finally {
    server.off('connection', stop);
  }
}

function stepsOf(store: SqliteStore, request: Ask, origin: string): (() => Promise<unknown>)[] {
  const runRead = createReadRunner({
    store: store.read,
    cursorKey: store.cursorKey,
    dictionary: { findSimilar: async () => [], findHolding: async () => [] },
    enter: async () => () => {},
    audit: async () => {},
    log: () => {},
    origin,
    now: () => new Date(),
  });
  const mcp = createMcp(runRead, { version: '', origin }, async () => {});
  const send = async (method: string, params: object) => {
    const [url, { body, ...init }] = askAt(origin, method, params);
    const { response } = await mcp(new Request(url, { ...init, body }), JSON.parse(body), { kind: 'owner' });
    return response.text();
  };
  const call = (name: string, args: object) => () => send('tools/call', { name, arguments: args });
  return [
    // Without a token it comes as far as the door, and routes are put in order on the way there.
    async () => request(...askAt(origin, 'tools/list', {})),
    () => send('tools/list', {}),
    call('schema', {}),
    call('search', { query: NO_WORD, limit: 1 }),
    async () => {
      const { words } = await store.read.stored.words(0, 2);
      return call('search', { query: [...words, NO_WORD].join(' '), limit: 2 })();
    },
  ];
}

function askAt(
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
