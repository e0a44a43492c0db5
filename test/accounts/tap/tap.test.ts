import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import type { SyncContext } from '../../../src/accounts/sync-source.ts';
import { splitCommand } from '../../../src/accounts/tap/tap-settings.ts';
import { createTapSource } from '../../../src/accounts/tap/tap-source.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { openTestStore } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';

const TAPS = fileURLToPath(new URL('./taps/', import.meta.url));
/** A tap reaches the network by itself. */
const unused = { fetch: notUsed, resolve: notUsed, connectTls: notUsed };
function notUsed(): never {
  throw new Error('A tap needs no network of ours.');
}

const TIMES = { idleMs: 2_000, endMs: 500 };

/** A store with one tap account, whose config and script can be changed between runs. */
async function createTapAccount(script: string, config: Record<string, unknown> = {}) {
  const folder = makeFolder();
  const store = await openTestStore(folder);
  const configPath = join(folder, 'config.json');
  const configure = (changes: Record<string, unknown>) => {
    writeFileSync(configPath, JSON.stringify({ ...config, ...changes }));
  };
  configure({});
  const source = createTapSource(TIMES);
  const settings = source.parseSettings({
    command: `${process.execPath} '${script}'`,
    config: configPath,
    name: 'shop',
  });
  await store.write.accounts.add(
    accountRow({ kind: 'tap', account: 'shop', settings: JSON.stringify(settings) }),
  );
  const errors: unknown[] = [];
  const controller = new AbortController();
  const run = () =>
    runSync(store, ACCOUNT_ID, {
      loadSource: async () => source,
      createNetwork: () => unused,
      now: () => new Date(),
      random: () => 0.5,
      signal: controller.signal,
      onError: (error) => {
        errors.push(error);
        return 'req_1';
      },
    });
  const context: SyncContext = {
    settings,
    secret: undefined,
    collections: undefined,
    network: unused,
    timeZone: 'UTC',
    now: () => new Date(),
    signal: controller.signal,
  };
  return { folder, store, source, context, configure, run, errors, controller };
}

function makeScript(folder: string, body: string): string {
  const path = join(folder, 'tap.mjs');
  writeFileSync(path, body);
  return path;
}

/** Runs a tap whose whole program is `body`. */
async function runScript(body: string) {
  const script = makeScript(makeFolder(), body);
  const account = await createTapAccount(script);
  return { ...account, outcome: await account.run() };
}

async function readKeys(store: SqliteStore, name: string): Promise<string[]> {
  const { streams } = await loadCatalog(store.write);
  const stream = streams.find((one) => one.name === name);
  if (stream === undefined) return [];
  const { records } = await store.read.stored.find(
    stream.streamId,
    Array.from({ length: 60 }, (_, n) => String(n)).concat('ana@x.example', 'bo@x.example', 'cy@x.example'),
  );
  return [...records.keys()].sort();
}

const order = (id: number, day: number) => ({
  id,
  customer: `customer ${id}`,
  total: 12.5,
  updated_at: `2026-03-${String(day).padStart(2, '0')}T08:00:00Z`,
  address: { city: 'Ghent' },
});

describe('an incremental tap', () => {
  it('stores its records, and continues from its state', async () => {
    const folder = makeFolder();
    const orders = join(folder, 'orders.json');
    writeFileSync(orders, JSON.stringify([order(1, 1), order(2, 2)]));
    const { store, source, context, run } = await createTapAccount(join(TAPS, 'tap-orders.mjs'), { orders });
    expect(await source.check(context)).toMatchObject({ account: 'shop', collections: [{ id: 'orders' }] });
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 2, changed: 0, removed: 0 } });
    writeFileSync(orders, JSON.stringify([order(1, 1), { ...order(2, 4), total: 13 }, order(3, 3)]));
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 1, changed: 1 } });
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 0, changed: 0 } });
    expect(await readKeys(store, 'orders')).toEqual(['1', '2', '3']);
    const [stream] = (await loadCatalog(store.write)).streams;
    expect(stream?.declaration).toMatchObject({ primary_key: ['id'], consent_time_field: 'updated_at' });
    const row = await store.write.accounts.find(ACCOUNT_ID);
    expect(JSON.parse(row?.state ?? '')).toMatchObject({
      state: { bookmarks: { orders: { updated_at: '2026-03-04T08:00:00Z' } } },
    });
  });

  it('keeps what came before a failure, and repeats nothing', async () => {
    const folder = makeFolder();
    const orders = join(folder, 'orders.json');
    writeFileSync(orders, JSON.stringify(Array.from({ length: 9 }, (_, n) => order(n + 1, n + 1))));
    const { store, run, configure } = await createTapAccount(join(TAPS, 'tap-orders.mjs'), { orders });
    configure({ failAfter: 4 });
    expect(await run()).toMatchObject({ state: 'failed', problem: { code: 'command_failed' } });
    expect(await readKeys(store, 'orders')).toEqual(['1', '2', '3', '4']);
    configure({});
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 5, changed: 0 } });
  });

  it('keeps the types of known columns, and adds new columns', async () => {
    const folder = makeFolder();
    const orders = join(folder, 'orders.json');
    writeFileSync(orders, JSON.stringify([order(1, 1)]));
    const { store, run, configure } = await createTapAccount(join(TAPS, 'tap-orders.mjs'), { orders });
    await run();
    configure({ columns: { customer: { type: 'integer' }, note: { type: 'string' } } });
    writeFileSync(orders, JSON.stringify([{ ...order(2, 2), note: 'by hand' }]));
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 1 } });
    const [stream] = (await loadCatalog(store.write)).streams;
    expect(stream?.declaration.schema.properties).toMatchObject({
      customer: { type: ['null', 'string'] },
      note: { type: 'string' },
    });
  });
});

describe('a full-table tap', () => {
  it('deletes the rows that the next version lacks', async () => {
    const folder = makeFolder();
    const members = join(folder, 'members.json');
    const member = (name: string) => ({ email: `${name}@x.example`, name, joined: '2026-01-02' });
    writeFileSync(members, JSON.stringify([member('ana'), member('bo')]));
    const { store, source, context, run, configure } = await createTapAccount(join(TAPS, 'tap-members.mjs'), {
      members,
      version: 1,
    });
    expect(await source.check(context)).toMatchObject({ collections: [] });
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 2 } });
    expect(await readKeys(store, 'club_members')).toEqual(['ana@x.example', 'bo@x.example']);
    writeFileSync(members, JSON.stringify([member('bo'), member('cy')]));
    configure({ version: 2 });
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 1, removed: 1 } });
    expect(await readKeys(store, 'club_members')).toEqual(['bo@x.example', 'cy@x.example']);
  });
});

describe('the messages of the Singer specification', () => {
  it('are stored', async () => {
    const { store, outcome } = await runScript(`
      console.log('{"type": "SCHEMA", "stream": "users", "key_properties": ["id"], "schema": {"required": ["id"], "type": "object", "properties": {"id": {"type": "integer"}}}}');
      console.log('{"type": "RECORD", "stream": "users", "record": {"id": 1, "name": "Chris"}}');
      console.log('{"type": "RECORD", "stream": "users", "record": {"id": 2, "name": "Mike"}}');
      console.log('{"type": "SCHEMA", "stream": "locations", "key_properties": ["id"], "schema": {"required": ["id"], "type": "object", "properties": {"id": {"type": "integer"}}}}');
      console.log('{"type": "RECORD", "stream": "locations", "record": {"id": 1, "name": "Philadelphia"}}');
      console.log('{"type": "STATE", "value": {"users": 2, "locations": 1}}');
    `);
    expect(outcome).toMatchObject({ state: 'synced', changes: { new: 3 } });
    expect(await readKeys(store, 'users')).toEqual(['1', '2']);
    expect(await readKeys(store, 'locations')).toEqual(['1']);
  });
});

describe('a hostile tap', () => {
  const schema = `console.log(JSON.stringify({ type: 'SCHEMA', stream: 's', schema: { properties: { id: { type: 'integer' } } }, key_properties: ['id'] }));`;
  const record = (id: number) =>
    `console.log(JSON.stringify({ type: 'RECORD', stream: 's', record: { id: ${id} } }));`;

  it.each([
    [
      'writes an endless line',
      `${schema} const x = 'x'.repeat(1 << 20); const more = () => process.stdout.write(x, more); more();`,
      'too_large',
    ],
    ['never writes', 'setInterval(() => {}, 1000);', 'too_slow'],
    ['stops writing', `${schema}${record(1)} setInterval(() => {}, 1000);`, 'too_slow'],
    [
      'ignores the signal to end',
      `process.on('SIGTERM', () => {}); ${schema} setInterval(() => {}, 1000);`,
      'too_slow',
    ],
    ['ends with an error', `${schema}${record(1)} process.exit(3);`, 'command_failed'],
    ['writes no message', 'console.log(\'hello\'); console.log(\'{"type": "NEW"}\');', 'protocol'],
  ])('that %s is a problem of the account', async (_name, body, code) => {
    const { outcome, errors } = await runScript(body);
    expect(outcome).toMatchObject({ state: 'failed', problem: { code } });
    expect(JSON.stringify(outcome)).not.toContain('tap.mjs');
    expect(errors.every((error) => error instanceof Error)).toBe(true);
  });

  it('that writes broken lines and floods its log loses only these lines', async () => {
    const { store, outcome } = await runScript(`
      for (let i = 0; i < 20_000; i++) console.error('x'.repeat(100));
      ${schema} console.log('{"type": "RECORD", "stream": "s", "rec'); console.log('[1, 2]');
      console.log('{"type": "RECORD", "stream": "other", "record": {"id": 1}}');
      console.log('{"type": "RECORD", "stream": "s", "record": {"id": "not a number"}}');
      ${record(7)} console.log(JSON.stringify({ type: 'RECORD', stream: 's', record: ${'[['.repeat(5)}1${']]'.repeat(5)} }));
    `);
    expect(outcome).toMatchObject({ state: 'synced', changes: { new: 1, problems: 2 } });
    expect(await readKeys(store, 's')).toEqual(['7']);
  });

  it('gets no secret of the server, and leaves no process and no file', async () => {
    process.env.PDPP_SERVER_SECRET_FOR_TEST = 'secret';
    const folder = makeFolder();
    const script = makeScript(
      folder,
      `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify({ env: process.env, cwd: process.cwd(), child: child.pid }));
      ${schema}${record(1)} process.exit(0);`,
    );
    const { run } = await createTapAccount(script);
    expect(await run()).toMatchObject({ state: 'synced' });
    delete process.env.PDPP_SERVER_SECRET_FOR_TEST;
    const seen = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
    expect(seen.env.PATH).toBe(process.env.PATH);
    expect(
      Object.keys(seen.env).filter((name) => name.startsWith('PDPP') || name.startsWith('VITEST')),
    ).toEqual([]);
    expect(existsSync(seen.cwd)).toBe(false);
    await expect.poll(() => isRunning(seen.child)).toBe(false);
  });

  it('ends at once when the run is stopped', async () => {
    const script = makeScript(makeFolder(), `${schema}${record(1)} setInterval(() => {}, 1000);`);
    const { run, controller } = await createTapAccount(script);
    setTimeout(() => controller.abort(), 800);
    const started = performance.now();
    expect(await run()).toMatchObject({ state: 'partial' });
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});

describe('streams with the names of object members', () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  const write = (message: object) => `console.log(${JSON.stringify(JSON.stringify(message))});`;
  const record = (name: string) => write({ type: 'RECORD', stream: name, record: { id: 1 } });
  const describeStream = (name: string) =>
    write({
      type: 'SCHEMA',
      stream: name,
      key_properties: ['id'],
      schema: { properties: { id: { type: 'integer' } } },
    });

  it.each(names)('%s is stored like any other', async (name) => {
    const state = write({ type: 'STATE', value: {} });
    const version = write({ type: 'ACTIVATE_VERSION', stream: name, version: 1 });
    const body = `${describeStream(name)}${record(name)}${version}${state}`;
    const { outcome, errors, run } = await runScript(body);
    expect(errors).toEqual([]);
    expect(outcome).toMatchObject({ state: 'synced', changes: { new: 1 } });
    expect(await run()).toMatchObject({ state: 'synced', changes: { new: 0, removed: 0 } });
  });

  it.each(names)('%s without a description is reported', async (name) => {
    const { outcome, errors } = await runScript(
      `${describeStream('orders')}${record('orders')}${record(name)}`,
    );
    expect(errors).toEqual([]);
    expect(outcome).toMatchObject({ state: 'synced', changes: { new: 1 } });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and waits for its parent to notice.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

describe('the command', () => {
  it('is split like in a shell, but nothing is expanded', () => {
    expect(splitCommand('/opt/tap --x "a b" \'c d\' e\\ f "g\\"h" $HOME *')).toEqual([
      '/opt/tap',
      '--x',
      'a b',
      'c d',
      'e f',
      'g"h',
      '$HOME',
      '*',
    ]);
    expect(splitCommand('tap "unfinished')).toBeUndefined();
  });
});
