import { describe, expect, it } from 'vitest';
import { createAccessFinder } from '../../../src/grants/grant.ts';
import { createDirectServer, parseDirectCall } from '../../../src/http/mcp/direct-call.ts';
import { createMcp } from '../../../src/http/mcp/mcp.ts';
import type { Caller } from '../../../src/reads/admission.ts';
import { createPerformer } from '../../../src/reads/granted-read.ts';
import { createReadRunner } from '../../../src/reads/run-read.ts';
import { createDictionary } from '../../../src/search/dictionary.ts';
import { escapeJson } from '../../../src/text/json.ts';
import { readLines } from '../../recording/play.ts';
import { entry } from '../../support/diary-source.ts';
import { createDiaryWorld } from '../../support/diary-world.ts';
import { useWorld } from '../../support/use-world.ts';
import { NOW, ORIGIN } from '../../support/world.ts';

/** A message to /mcp as a client sent it: PDPP_RECORD_CLIENTS=1 npm run test:clients. */
interface Recorded {
  readonly client: string;
  readonly headers: Record<string, string>;
  readonly body: { readonly method: string; readonly id?: unknown };
}

const messages = readLines(new URL('./messages.jsonl', import.meta.url)).map(
  (line): Recorded => JSON.parse(line),
);
const clients = [...new Set(messages.map(({ client }) => client))].sort();

const { store, mine, ingest } = await useWorld(createDiaryWorld());
// What the clients search for.
await ingest('mine', 'entries', [entry('lunch', { title: 'Lunch', body: 'lunch by the harbour' })]);
const access = await createAccessFinder(store.read, `${ORIGIN}/mcp`)(mine, NOW);
if (access.kind !== 'client') throw new Error('no grant');
const caller: Caller = access;
const runRead = createReadRunner({
  perform: createPerformer({
    store: store.read,
    cursorKey: store.cursorKey,
    dictionary: createDictionary(store.read.stored.words),
    origin: ORIGIN,
  }),
  enter: async () => () => {},
  audit: async () => {},
  log: () => {},
  now: () => NOW,
});
const serveBySdk = createMcp(runRead, { version: '9.9.9', origin: ORIGIN }, async () => {});
const direct = createDirectServer(runRead, '9.9.9', async () => {});

async function askSdk({ headers, body }: Recorded): Promise<string> {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const { response } = await serveBySdk(new Request(`${ORIGIN}/mcp`, init), body, caller);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return escapeJson(isStream ? (/^data: ([^\n]*)$/m.exec(text)?.[1] ?? '') : text);
}

async function askDirect({ headers, body }: Recorded): Promise<string | undefined> {
  const call = parseDirectCall((name) => headers[name], body);
  return call && direct.serve(call, caller, new AbortController());
}

/** Every read has a request id of its own. */
const withoutId = (answer: string) => answer.replaceAll(/req_[0-9a-f]+/g, 'req_');

describe('the recorded messages of clients', () => {
  it('are those of every client that is tested', () => {
    expect(clients.map((client) => client.replace(/ [\d.]+(-\S+)?$/, ''))).toEqual([
      ...['Claude Code', 'Codex', 'Codex, 2026', 'Copilot CLI', 'Gemini CLI'],
      ...['Inspector CLI, legacy', 'Inspector CLI, modern', 'SDK v1', 'SDK v2, 2025', 'SDK v2, 2026'],
      ...['mcporter', 'opencode'],
    ]);
  });

  it.each(clients)('%s gets the same answers directly and through the library', async (client) => {
    const own = messages.filter((message) => message.client === client);
    const direct = [];
    for (const message of own) {
      const answer = await askDirect(message);
      if (answer === undefined) continue;
      direct.push(message.body.method);
      expect(withoutId(answer)).toBe(withoutId(await askSdk(message)));
      if (message.body.method === 'tools/call') expect(answer).toContain('mine/entries/lunch');
    }
    // No call of a tool takes the slower way, and everything else does.
    const calls = own.map(({ body }) => body.method).filter((method) => /^tools\//.test(method));
    expect(direct).toEqual(calls);
    expect(new Set(calls)).toEqual(new Set(['tools/list', 'tools/call']));
  });

  it('hold no token', () => {
    const text = JSON.stringify(messages);
    expect(text).not.toMatch(/pdpp_|bearer|authorization"/i);
  });
});
