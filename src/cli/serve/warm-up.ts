import type { EventEmitter } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createToolRunner } from '../../calls/run-tool.ts';
import { createMcp } from '../../http/mcp/mcp.ts';
import { readWords } from '../../reader/search/read-words.ts';
import type { SqliteStore } from '../../store/open-store.ts';

/** A word that nothing holds, so that what is done for one is done too. */
const NO_WORD = 'qzxjvwk';

const BEFORE_MS = 25;

const PROTOCOL = '2026-07-28';

/**
 * Does once, for nobody, what the first call would wait for: libraries are compiled and schemas built when they are first
 * used. Nothing is written down, because nobody reads: neither in the audit nor as an event. Whoever asks meanwhile comes
 * first, and the rest is left to them.
 */
export async function warmUp(
  server: Pick<EventEmitter, 'once' | 'off'>,
  store: SqliteStore,
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
    for (const step of stepsOf(store, origin)) {
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

function stepsOf(store: SqliteStore, origin: string): (() => Promise<unknown>)[] {
  const runTool = createToolRunner({
    store: store.read,
    cursorKey: store.placeKey,
    dictionary: { findSimilar: async () => [], findHolding: async () => [] },
    enter: async () => () => {},
    audit: async () => {},
    log: () => {},
    origin,
    now: () => new Date(),
  });
  const mcp = createMcp(runTool, { version: '', origin }, async () => {});
  const send = async (method: string, params: object) => {
    const { response } = await mcp(...askFor(origin, method, params), { kind: 'owner' });
    return response.text();
  };
  const call = (name: string, args: object) => () => send('tools/call', { name, arguments: args });
  return [
    () => send('tools/list', {}),
    call('schema', {}),
    call('search', { query: NO_WORD, limit: 1 }),
    async () => {
      const { words } = await readWords(store.read.db, 0, 2);
      return call('search', { query: [...words, NO_WORD].join(' '), limit: 2 })();
    },
  ];
}

function askFor(origin: string, method: string, params: object): [request: Request, body: unknown] {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL,
    'io.modelcontextprotocol/clientInfo': { name: 'warm-up', version: '' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  const request = new Request(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': PROTOCOL,
      'mcp-method': method,
      ...name,
    },
    body: JSON.stringify(body),
  });
  return [request, body];
}
