import { DEMO_END } from '../../../bench/demo-end.ts';
import { fillDemo } from '../../../src/demo/fill-demo.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import { diarySource, entry } from '../../support/diary-source.ts';
import { createOwnerBrowser, OAuthClient, type Tokens } from '../../support/oauth-client.ts';
import { addReads, pruneAll } from '../../support/stores/audit.ts';
import { createWorld, type World } from '../../support/world.ts';

/** What people and apps hold of a store: tokens, cookies and cursors. */
export interface Held {
  readonly token: string;
  readonly ownerToken: string;
  readonly clientId: string;
  readonly tokens: Tokens;
  readonly cookies: Map<string, string>;
  readonly calls: readonly Call[];
}

type Call = readonly [tool: string, args: Record<string, unknown>];

const long = (text: string) => `${text} \0 ${'many words that repeat '.repeat(4_000)}`;

/** Fills a folder with one of everything: the demo, edits, deletions, large records, access, imports, audit. */
export async function makeStore(directory: string): Promise<Held> {
  const world = await createWorld({ directory, timeZone: 'Europe/Berlin', clock: 'real' });
  await fillDemo(world.store.write, DEMO_END, new Date());
  await world.addSource(diarySource, { mine: 'My diary', gone: 'Removed' });
  const ids = Array.from({ length: 60 }, (_, at) => `e${at}`);
  const line = (id: string, version: number, body = `lantern number ${id} of version ${version} \0\u0001`) =>
    entry(id, {
      title: `Title \u0000 ${version}`,
      body,
      stars: 7,
      price: 0.1,
      extra: { big: '90071992547409931' },
    });
  const add = (lines: object[], at: string, connection = 'mine') =>
    world.ingest(
      connection,
      'entries',
      lines.map((one) => JSON.stringify({ ...one, emitted_at: at })),
    );
  await add(
    ids.map((id) => line(id, 1)),
    '2026-11-01T00:00:00Z',
  );
  await add(
    ids.slice(0, 30).map((id) => line(id, 2)),
    '2026-11-02T00:00:00Z',
  );
  for (const version of [1, 2])
    await add([line('large', version, long(`lamp ${version}`))], `2026-11-0${version}T00:00:00Z`);
  await add([line('other', 1, 'left by a removal')], '2026-11-01T00:00:00Z', 'gone');
  const held = await giveAccess(world);
  const link = { hash: 'link', createdAt: '2026-11-01', expiresAt: '2026-11-02', usedAt: null };
  await world.store.write.owner.addSetupLink(link);
  await add(
    [
      { key: 'e1', op: 'delete' },
      { key: 'e2', op: 'delete' },
    ],
    '2026-11-03T00:00:00Z',
  );
  await addImport(world);
  await addAccount(world);
  await addReads(world.store, 30, 86_400_000);
  await pruneAll(world.store, { days: 10 });
  await world.store.write.transact(() =>
    world.store.write.catalog.removeConnection('gone', 'diary', '2026-11-04T00:00:00Z'),
  );
  world.store.close();
  return held;
}

/** Adds an account with one item, which refers to a record. */
async function addAccount({ store }: World): Promise<void> {
  const stream = (await loadCatalog(store.read)).streams.find(
    (one) => one.name === 'entries' && one.connection.connection_id === 'mine',
  );
  if (stream === undefined) throw new Error('no stream');
  const { accounts } = store.write;
  const [account_id, collection, item] = ['account', 'INBOX', '1'];
  await store.write.transact(async () => {
    await accounts.add({
      ...{ account_id, kind: 'imap', account: 'anna@example.org', connection_id: 'mine', settings: '{}' },
      ...{ credentials: null, allows_private: 0, interval_seconds: 900, paused: 0, collections: null },
      ...{ state: '{"uid":1}', created_at: '2026-11-01T00:00:00Z', last_run_at: null, last_changes: null },
      ...{ problem: null, stopped: 0, next_run_at: null, failures: 0, emitted_at: 0, running_until: null },
      progress: null,
    });
    await accounts.putItems(account_id, [{ collection, item, version: '1' }]);
    const reference = { stream_id: stream.streamId, key: 'e3', collection, item, was_there: 1 };
    await accounts.addReferences(account_id, [reference]);
  });
}

async function addImport({ store }: World): Promise<void> {
  const { imports } = store.write;
  const about = { connection_id: 'mine', format: 'ndjson', started_at: '2026-11-01T00:00:00Z' };
  const importId = await imports.add({ ...about, state: 'running', report: '{"records":1}' });
  const stream = (await loadCatalog(store.read)).streams.find((one) => one.name === 'members');
  if (stream === undefined) throw new Error('no stream');
  const put = {
    op: 'put',
    key: 'k',
    t: 1,
    emittedAt: 1,
    data: '{"team":"k"}',
    values: {},
    texts: {},
  } as const;
  await store.write.batches.write(stream.streamId, [put], { importId });
  await imports.update(importId, {
    state: 'done',
    ended_at: '2026-11-01T00:00:01Z',
    report: '{"records":1}',
  });
}

/** Gives access in every way, and begins lists and searches. */
async function giveAccess(world: World): Promise<Held> {
  const browser = await createOwnerBrowser(world);
  const app = await OAuthClient.register(world);
  const tokens = await app.connect(browser);
  const { connections } = await loadCatalog(world.store.read);
  const { token } = await world.grant(connections.map(({ connection_id }) => ({ connection_id })));
  const entries = { stream: 'entries', connection_id: 'mine' };
  const started: Call[] = [
    ['query_records', { ...entries, limit: 7 }],
    ['query_records', { stream: 'transactions', connection_id: 'nordbank_nora', sort: '-amount', limit: 9 }],
    ['search', { query: 'lantern', limit: 5 }],
  ];
  const calls: Call[] = [
    ['schema', {}],
    ['search', { query: 'lanterm', limit: 3 }],
    ['fetch', { id: 'mine/entries/large' }],
    ['aggregate', { ...entries, metric: 'count', group_by: 'title' }],
  ];
  for (const [tool, args] of started) {
    const { structuredContent } = await world.call(token, tool, args);
    calls.push([tool, { ...args, cursor: structuredContent.next_cursor }]);
  }
  const changes = { ...entries, changes_since: 'now' };
  const { structuredContent } = await world.call(token, 'query_records', changes);
  calls.push(['query_records', { ...entries, changes_since: structuredContent.next_changes_since }]);
  const ownerToken = await world.ownerToken();
  return { token, ownerToken, clientId: app.clientId, tokens, cookies: browser.cookies, calls };
}

const CURSOR = /[\w-]{16}\.[\w-]{10,}\.[\w-]{22}/g;
const NOW = /("now\\*":\\*")[^"\\]+/;

/** Calls every tool. Leaves out what no two answers share: numbers of requests, times, and cursors, whose nonce is random. */
export async function callAll(world: World, { token, calls }: Held): Promise<string[]> {
  const answers: string[] = [];
  for (const [tool, args] of calls) {
    const { isError, content } = await world.call(token, tool, args);
    if (isError === true) throw new Error(`${tool}: ${content[0]?.text}`);
    answers.push(
      JSON.stringify(content)
        .replaceAll(CURSOR, 'CURSOR')
        .replaceAll(/req_\w+/g, 'REQUEST')
        .replace(NOW, '$1'),
    );
  }
  return answers;
}
