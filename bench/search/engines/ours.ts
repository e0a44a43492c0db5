import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../../src/app.ts';
import { createAudit } from '../../../src/audit/audit.ts';
import { createGrant } from '../../../src/grants/grant-store.ts';
import { resolveGrant } from '../../../src/grants/resolve-grant.ts';
import { NO_CALL_RULE } from '../../../src/reads/admission.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestDatabase } from '../../../test/support/postgres/databases.ts';
import { openEngine } from '../../open-engine.ts';
import type { Options } from '../../options.ts';
import { type Collection, DEPTH, type Engine } from '../collection.ts';

const HOST = '127.0.0.1:7733';

/** A search of the whole server: the ids of the first ten hits for a question, in other wordings too. */
export interface JudgedServer {
  find(question: string, also?: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

type EngineName = Options['engine'];

/** The whole server on a store of its own, asked over HTTP by an app that may read everything. */
export async function openServer(
  collection: Pick<Collection, 'fill'>,
  now: Date,
  engine: EngineName = 'sqlite',
): Promise<JudgedServer> {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-judged-'));
  const url = engine === 'postgres' ? await createTestDatabase() : undefined;
  const { store, close } = await openEngine(directory, url);
  await collection.fill(store.write);
  const send = createSender(store, now);
  const token = await grantAll(store, now);
  const find = async (question: string, also: readonly string[] = []): Promise<string[]> => {
    const parameters = new URLSearchParams({ query: question, limit: String(DEPTH) });
    for (const wording of also) parameters.append('also', wording);
    const response = await send(`/v1/search?${parameters}`, token);
    const body = (await response.json()) as { results?: { id: string }[] };
    if (body.results === undefined) throw new Error(`search refused "${question}": ${JSON.stringify(body)}`);
    return body.results.map(({ id }) => id);
  };
  // What the first question of a process pays for is another measure.
  await find('warm');
  return {
    find,
    async close() {
      await close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The names under which a report lists our server. */
export const OUR_NAMES = { sqlite: 'ours', postgres: 'ours on PostgreSQL' } as const;

export async function openOurs(
  collection: Pick<Collection, 'fill'>,
  now: Date,
  engine: EngineName = 'sqlite',
): Promise<Engine> {
  const { find, close } = await openServer(collection, now, engine);
  return {
    name: OUR_NAMES[engine],
    async ask(questions) {
      const hits: string[][] = [];
      const started = performance.now();
      for (const question of questions) hits.push(await find(question));
      return { hits, milliseconds: performance.now() - started };
    },
    close,
  };
}

function createSender(store: Store, now: Date): (path: string, token: string) => Promise<Response> {
  const app = createApp({
    store,
    publicUrl: `http://${HOST}`,
    hosts: new Set([HOST]),
    audit: createAudit(store.audit),
    log: (event, details) => console.error(event, details),
    now: () => now,
    version: 'bench',
    callRule: NO_CALL_RULE,
  });
  return async (path, token) =>
    app.request(path, { headers: { host: HOST, authorization: `Bearer ${token}` } });
}

async function grantAll(store: Store, now: Date): Promise<string> {
  const catalog = await loadCatalog(store.read);
  const { streams } = resolveGrant(
    catalog,
    catalog.connections.map(({ connection_id }) => ({ connection_id })),
  );
  const { token } = await createGrant(store.write, { clientName: 'Judged search', streams }, now);
  return token;
}
