import { describe, expect, it, vi } from 'vitest';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import { createSyncScheduler } from '../../../src/accounts/run/scheduler.ts';
import type { SyncItem, SyncSource } from '../../../src/accounts/sync-source.ts';
import { SyncError } from '../../../src/accounts/sync-source.ts';
import { removeConnections } from '../../../src/import/remove-connection.ts';
import { undoImport } from '../../../src/import/undo-import.ts';
import { installSource } from '../../../src/ingest/install-source.ts';
import { checkDeclaration } from '../../../src/schema-index/check-declaration.ts';
import { addConnection } from '../../../src/schema-index/edit-catalog.ts';
import { createAccountWorld } from '../../support/accounts/account-world.ts';
import { mailboxPlan } from '../../support/accounts/fake-mailbox.ts';

const otherDeclaration = checkDeclaration({ ...mailboxPlan.declaration, connector_key: 'other' });
const SECRET = 'correct-horse-battery';

interface Script {
  items: (state: unknown) => Iterable<SyncItem> | AsyncIterable<SyncItem>;
  failure?: Error | undefined;
  onSecret?: (secret: string | undefined) => void;
}

const put = (id: string, subject = id): SyncItem => ({
  kind: 'put',
  collection: 'inbox',
  item: id,
  records: [{ stream: 'letters', data: { id, thread: 't', sent_at: '2026-03-01T00:00:00Z', subject } }],
});

/** A source that does what a script says. */
function createScripted(script: Script): SyncSource {
  const connect = (secret: string | undefined) => {
    script.onSecret?.(secret);
    if (script.failure !== undefined) throw script.failure;
  };
  return {
    kind: 'imap',
    title: 'Letters',
    fields: [],
    isAddedOnPages: true,
    parseSettings: (given) => given,
    async check({ secret }) {
      connect(secret);
      return { account: 'anna@example.org', collections: [], notes: [] };
    },
    plan: async () => mailboxPlan,
    async *sync({ state, secret }) {
      connect(secret);
      yield* script.items(state);
      yield { kind: 'checkpoint', state: 1 };
    },
  };
}

async function addAccount(script: Script) {
  const world = await createAccountWorld(createScripted(script));
  const outcome = await world.service.add({ kind: 'imap', settings: {}, secret: SECRET });
  if (outcome.state === 'failed') throw new Error(outcome.problem.message);
  return { ...world, id: outcome.account.account_id };
}

describe('an account', () => {
  it('is not stored if the test of its connection fails', async () => {
    const failure = new SyncError('credentials', 'The password was refused.', 'Enter another one.');
    const world = await createAccountWorld(createScripted({ items: () => [], failure }));
    const added = await world.service.add({ kind: 'imap', settings: {}, secret: SECRET });
    expect(added).toMatchObject({ state: 'failed', problem: { message: 'The password was refused.' } });
    expect(await world.service.list()).toEqual([]);
    world.store.close();
  });

  it('continues in the connection that the owner names, if it has the same source', async () => {
    const first = await addAccount({ items: () => [put('a'), put('b')] });
    await first.sync(first.id);
    const { connection_id } = await first.service.get(first.id);
    await first.service.remove(first.id);
    const connectionId = connection_id as string;
    const order = { kind: 'imap' as const, settings: {}, secret: SECRET };
    await expect(first.service.add({ ...order, connectionId: 'missing' })).rejects.toThrow('not found');
    await installSource(first.store.write, otherDeclaration, new Date());
    const other = { connection_id: 'other', connector_key: 'other', display_name: 'Other' };
    await addConnection(first.store.write, other, new Date());
    await expect(first.service.add({ ...order, connectionId: 'other' })).rejects.toThrow('another source');
    const added = await first.service.add({ ...order, connectionId });
    if (added.state === 'failed') throw new Error(added.problem.message);
    expect(await first.sync(added.account.account_id)).toMatchObject({ changes: { new: 0 } });
    expect(await first.count('letters')).toBe(2);
    expect(await first.service.get(added.account.account_id)).toMatchObject({ connection_id: connectionId });
    first.store.close();
  });

  it('stops after a wrong password until the owner enters another one', async () => {
    const script: Script = { items: () => [put('a')] };
    const world = await addAccount(script);
    script.failure = new SyncError('credentials', 'The password was refused.', 'Enter another one.');
    expect(await world.sync(world.id)).toMatchObject({ state: 'failed', stopped: true });
    expect(await world.service.get(world.id)).toMatchObject({ state: 'stopped', next_sync_at: null });
    let seen: string | undefined;
    script.failure = undefined;
    script.onSecret = (secret) => {
      seen = secret;
    };
    await world.service.replaceSecret(world.id, 'another-one');
    expect(seen).toBe('another-one');
    expect(await world.sync(world.id)).toMatchObject({ state: 'synced', changes: { new: 1 } });
    expect(await world.service.get(world.id)).toMatchObject({ state: 'ok', problem: null });
    world.store.close();
  });

  it('keeps its password out of every row, event and view', async () => {
    const world = await addAccount({ items: () => [put('a')] });
    await world.sync(world.id);
    const row = await world.store.read.accounts.find(world.id);
    expect(row?.credentials).toBeTypeOf('string');
    const shown = JSON.stringify([row, await world.service.list()]);
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain(Buffer.from(SECRET).toString('base64'));
    expect(JSON.stringify(await world.service.list())).not.toContain(row?.credentials);
    world.store.close();
  });

  it('asks for the password again if the server secret is another one', async () => {
    const world = await addAccount({ items: () => [put('a')] });
    const other = new Proxy(world.store, {
      get: (object, name) =>
        name === 'secret' ? Buffer.alloc(32, 1) : (Reflect.get(object, name) as unknown),
    });
    const outcome = await runSync(other, world.id, {
      loadSource: async () => createScripted({ items: () => [] }),
      createNetwork: () => ({}) as never,
      now: () => new Date(),
      random: () => 0.5,
      signal: new AbortController().signal,
      onError: () => '',
    });
    expect(outcome).toMatchObject({
      state: 'failed',
      stopped: true,
      problem: { code: 'credentials', fix: 'Enter the password again.' },
    });
    world.store.close();
  });

  it('repeats a failed run, later each time, and says since when it fails', async () => {
    const script: Script = { items: () => [put('a')] };
    const world = await addAccount(script);
    script.failure = new SyncError('unreachable', 'The server cannot be reached.', 'Try again.');
    const waits: number[] = [];
    for (let run = 0; run < 4; run++) {
      const before = Date.now();
      await world.sync(world.id);
      const { next_sync_at, state } = await world.service.get(world.id);
      expect(state).toBe('failing');
      waits.push(Math.round((Date.parse(next_sync_at as string) - before) / 60_000));
    }
    expect(waits).toEqual([1, 2, 4, 8]);
    world.store.close();
  });

  it('leaves an import only if a run changes something, and the import can be undone', async () => {
    const script: Script = { items: () => [put('a', 'before')] };
    const world = await addAccount(script);
    await world.sync(world.id);
    await world.sync(world.id);
    expect(await world.store.read.imports.list()).toHaveLength(1);
    script.items = () => [put('a', 'after'), put('b')];
    const outcome = await world.sync(world.id);
    expect(outcome).toMatchObject({ changes: { new: 1, changed: 1 } });
    const imports = await world.store.read.imports.list();
    const undone = await undoImport(world.store, imports[0]?.import_id as number, new Date());
    expect(undone).toMatchObject({ removed: 1, restored: 1 });
    expect((await world.read('letters', ['a', 'b'])).a?.subject).toBe('before');
    world.store.close();
  });

  it('is removed with its connection, with every trace', async () => {
    const world = await addAccount({ items: () => [put('a')] });
    await world.sync(world.id);
    const { connection_id } = await world.service.get(world.id);
    await removeConnections(world.store, [connection_id as string], new Date());
    expect(await world.service.list()).toEqual([]);
    expect(await world.store.read.accounts.listCollections(world.id)).toEqual([]);
    expect(await world.store.read.accounts.findReferenced(1, ['a'])).toEqual(new Map());
    world.store.close();
  });

  it('does not run twice at the same time', async () => {
    let running = 0;
    let together = 0;
    let begin: () => void = () => {};
    let end: () => void = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve;
    });
    const script: Script = {
      async *items() {
        together = Math.max(together, ++running);
        begin();
        await mayEnd;
        yield put('a');
        running -= 1;
      },
    };
    const world = await addAccount(script);
    const runs = [1, 2, 3].map(() => world.sync(world.id));
    await hasBegun;
    // Two of the three end while the third runs.
    const states: string[] = [];
    for (const run of runs) void run.then(({ state }) => states.push(state));
    await expect.poll(() => states).toEqual(['busy', 'busy']);
    end();
    await Promise.all(runs);
    expect(states).toEqual(['busy', 'busy', 'synced']);
    expect(together).toBe(1);
    world.store.close();
  });

  it('logs an unexpected error, and shows only its id', async () => {
    const script: Script = { items: () => [put('a')] };
    const world = await addAccount(script);
    script.failure = new Error('driver text with a password');
    const outcome = await world.sync(world.id);
    expect(outcome).toMatchObject({ state: 'failed', stopped: false, problem: { code: 'internal' } });
    expect(JSON.stringify(outcome)).not.toContain('driver text');
    expect(JSON.stringify(outcome)).toContain('sync_1');
    expect(world.errors).toHaveLength(1);
    world.store.close();
  });
});

describe('the schedule', () => {
  it('runs an account that is due, not a paused one, and again when the server reports a change', async () => {
    let change: (() => void) | undefined;
    let runs = 0;
    const source: SyncSource = {
      ...createScripted({
        items: () => {
          runs += 1;
          return [put(`letter-${runs}`)];
        },
      }),
      waitForChange: ({ signal }) =>
        new Promise((resolve, reject) => {
          change = resolve;
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        }),
    };
    const world = await createAccountWorld(source);
    const deps = {
      store: world.store,
      loadSource: async () => source,
      createNetwork: () => ({}) as never,
      now: () => new Date(),
      onError: (error: unknown) => {
        world.errors.push(error);
        return '';
      },
    };
    const scheduler = createSyncScheduler({
      ...deps,
      runner: (id, signal) => runSync(world.store, id, { ...deps, random: () => 0.5, signal }),
      enqueue: (work) => work(),
      pollMs: 50,
    });
    const added = await world.service.add({ kind: 'imap', settings: {}, secret: SECRET });
    const id = added.state === 'added' ? added.account.account_id : '';
    scheduler.start();
    await vi.waitFor(() => expect(runs).toBe(1), { timeout: 10_000 });
    await vi.waitFor(async () => expect((await world.service.get(id)).state).toBe('ok'), { timeout: 10_000 });
    // The server listens again after each run.
    await vi.waitFor(() => expect(change).toBeDefined(), { timeout: 10_000 });
    change?.();
    await vi.waitFor(() => expect(runs).toBe(2), { timeout: 10_000 });
    await vi.waitFor(async () => expect((await world.service.get(id)).state).toBe('ok'), { timeout: 10_000 });
    await world.service.pause(id);
    await world.store.write.accounts.update(id, { next_run_at: '2020-01-01T00:00:00.000Z' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(runs).toBe(2);
    await scheduler.stop();
    expect(world.errors).toEqual([]);
    world.store.close();
  });
});
