import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { setGrantExpiry } from '../../src/grants/grant-store.ts';
import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { dropConnection } from '../../src/schema-index/edit-catalog.ts';
import { openStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { batchLines, countTables, setUpDiary } from '../support/fill-store.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { createWorld, NOW } from '../support/world.ts';

const setting = (name: string) => ({ name, value: 'x' });
const hasSetting = (store: SqliteStore, name: string) =>
  store.write.raw.prepare('select 1 from settings where name = ?').pluck().get(name) === 1;

describe('an acknowledged record', () => {
  it('is kept if another change fails at the same time (8 of 60 were lost)', async () => {
    const directory = makeFolder();
    const world = await createWorld({ directory });
    const stream = await setUpDiary(world.store);
    const { grantId } = await world.grant([{ connection_id: 'mine' }]);
    world.store.write.raw.exec(
      `create trigger refuse before update of expires_at on tokens begin select raise(abort, 'no'); end`,
    );
    let acknowledged = 0;
    for (let round = 0; round < 60; round++) {
      const change = setGrantExpiry(world.store.write, grantId, NOW).catch((error: Error) => error.message);
      // As far into the change as it takes to be in the middle of it.
      for (let step = 0; step < round % 15; step++) await Promise.resolve();
      const report = await ingestLines(world.store.write, stream, 'UTC', batchLines(round, 1));
      acknowledged += report.new;
      expect(await change).toBe('no');
    }
    expect(acknowledged).toBe(60);
    world.store.close();
    const again = await openStore(directory);
    expect(countTables(again)).toMatchObject({ records: 60, facets: 60, days: 60, texts: 60 });
    again.close();
  });
});

describe('a transaction', () => {
  it('contains no statement of another caller, and hides uncommitted rows', async () => {
    const store = await openStore(makeFolder());
    const { write } = store;
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const act = write.transact(async () => {
      await write.db.insertInto('settings').values(setting('half')).execute();
      await paused;
      throw new Error('undone');
    });
    const failed = expect(act).rejects.toThrow('undone');
    await sleep(10);
    const others = [
      write.db.insertInto('settings').values(setting('single')).execute(),
      write.transact(() => write.db.insertInto('settings').values(setting('whole')).execute()),
      write.transactSync((raw) => raw.prepare(`insert into settings values ('hand', 'x')`).run()),
    ];
    const seen = write.db.selectFrom('settings').selectAll().execute();
    await sleep(10);
    expect(write.raw.prepare('select name from settings').pluck().all()).toEqual(['half']);
    goOn();
    await failed;
    await Promise.all(others);
    expect((await seen).map(({ name }) => name)).not.toContain('half');
    expect(['half', 'single', 'whole', 'hand'].map((name) => hasSetting(store, name))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    store.close();
  });

  it('throws inside another transaction instead of waiting forever', async () => {
    const store = await openStore(makeFolder());
    const { write } = store;
    const attempts = [() => write.transact(async () => {}), () => write.transactSync(() => {})];
    for (const attempt of attempts) {
      await expect(write.transact(attempt)).rejects.toThrow('inside another');
      await expect(
        write.transact(async () => {
          await write.db.insertInto('settings').values(setting('outer')).execute();
          await attempt().catch(() => {});
          throw new Error('the outer one can still decide');
        }),
      ).rejects.toThrow('decide');
    }
    expect(hasSetting(store, 'outer')).toBe(false);
    await write.transact(async () => {});
    store.close();
  });

  it('runs synchronous work without interruption', async () => {
    const store = await openStore(makeFolder());
    await expect(
      store.write.transactSync(async (raw) => raw.prepare(`insert into settings values ('a', 'x')`).run()),
    ).rejects.toThrow('promise');
    expect(hasSetting(store, 'a')).toBe(false);
    store.close();
  });

  it('that SQLite has ended stores no later statement', async () => {
    const store = await openStore(makeFolder());
    const { write } = store;
    await expect(
      write.transact(async () => {
        await write.db.insertInto('settings').values(setting('before')).execute();
        // As SQLite does when the disk is full.
        write.raw.exec('rollback');
        await write.db.insertInto('settings').values(setting('after')).execute();
      }),
    ).rejects.toThrow('has ended');
    expect([hasSetting(store, 'before'), hasSetting(store, 'after')]).toEqual([false, false]);
    store.close();
  });

  it('that SQLite has ended changes no index of records later', async () => {
    const store = await openStore(makeFolder());
    const { write } = store;
    const stream = await setUpDiary(store);
    await ingestLines(write, stream, 'UTC', batchLines(0, 1));
    const readFacets = () => write.raw.prepare('select * from facets').all();
    const before = readFacets();
    const index = () => ({ values: { title: 'other' }, texts: { body: 'other' } });
    await expect(
      write.transact(async () => {
        write.raw.exec('rollback');
        await write.batches.reindex(stream.streamId, index);
      }),
    ).rejects.toThrow('has ended');
    expect(readFacets()).toEqual(before);
    store.close();
  });

  it('does not include work that outlives it', async () => {
    const store = await openStore(makeFolder());
    const { write } = store;
    let late: Promise<unknown> | undefined;
    await write.transact(async () => {
      late = sleep(20).then(() => write.db.insertInto('settings').values(setting('late')).execute());
    });
    await expect(
      write.transact(async () => {
        await sleep(40);
        throw new Error('another one');
      }),
    ).rejects.toThrow('another one');
    await late;
    expect(hasSetting(store, 'late')).toBe(true);
    store.close();
  });

  it('runs work after the commit only if it was committed', async () => {
    const store = await openStore(makeFolder());
    const { write } = store;
    const done: string[] = [];
    await write.transact(async () => {
      await write.afterCommit(async () => {
        done.push(`stored: ${hasSetting(store, 'told')}, open: ${write.raw.inTransaction}`);
      });
      await write.db.insertInto('settings').values(setting('told')).execute();
      expect(done).toEqual([]);
    });
    await write
      .transact(async () => {
        await write.afterCommit(async () => {
          done.push('never');
        });
        throw new Error('undone');
      })
      .catch(() => {});
    await write.afterCommit(async () => {
      done.push('at once');
    });
    expect(done).toEqual(['stored: true, open: false', 'at once']);
    store.close();
  });

  it('that begins with its first write blocks no other writer before it', async () => {
    const store = await openStore(makeFolder());
    const { write } = store;
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = write.transact(async () => {
      await write.db.selectFrom('settings').selectAll().execute();
      await paused;
      await Promise.all(
        ['one', 'two'].map((name) => write.db.insertInto('settings').values(setting(name)).execute()),
      );
      throw new Error('undone');
    }, 'first write');
    const failed = expect(slow).rejects.toThrow('undone');
    await write.transact(() => write.db.insertInto('settings').values(setting('meanwhile')).execute());
    goOn();
    await failed;
    expect(['one', 'two', 'meanwhile'].map((name) => hasSetting(store, name))).toEqual([false, false, true]);
    store.close();
  });
});

describe('another process that writes', () => {
  it('does not block readers while a writer waits for it', async () => {
    const folder = makeFolder();
    const store = await openStore(folder);
    const other = new Database(join(folder, 'store.sqlite'));
    other.exec('begin immediate');
    const write = store.write.db.insertInto('settings').values(setting('patient')).execute();
    const act = store.write.transactSync((raw) =>
      raw.prepare(`insert into settings values ('hand', 'x')`).run(),
    );
    let longest = 0;
    for (let i = 0; i < 20; i++) {
      const started = performance.now();
      await sleep(20);
      await store.write.db.selectFrom('settings').selectAll().execute();
      longest = Math.max(longest, performance.now() - started);
    }
    other.exec('commit');
    other.close();
    await Promise.all([write, act]);
    expect(hasSetting(store, 'patient')).toBe(true);
    // SQLite's own waiting would have held every step up for the whole 5 seconds.
    expect(longest).toBeLessThan(1_000);
    store.close();
  });

  it('that does not end causes `busy` after a timeout, and nothing is stored', async () => {
    const world = await createWorld();
    await setUpDiary(world.store);
    const owner = await world.ownerToken();
    const other = new Database(join(world.store.directory, 'store.sqlite'));
    other.exec('begin immediate');
    const send = () =>
      world.request('/v1/ingest/mine/entries', {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/x-ndjson' },
        body: batchLines(1, 5).join('\n'),
      });
    const refused = await send();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'busy', hint: expect.any(String) } });
    other.exec('commit');
    other.close();
    expect(await (await send()).json()).toMatchObject({ new: 5, same: 0 });
    world.close();
  });
});

describe('the log', () => {
  it('is truncated after erasing, although an earlier read still needs it', async () => {
    const store = await openStore(makeFolder());
    await ingestLines(store.write, await setUpDiary(store), 'UTC', batchLines(0));
    const isInLog = () => readFileSync(`${store.write.raw.name}-wal`).includes('some words about number');
    expect(isInLog()).toBe(true);
    const reader = new Database(store.write.raw.name, { readonly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from settings').get();
    await dropConnection(store.write, 'mine', NOW);
    setTimeout(() => reader.exec('commit'), 300);
    await store.write.batches.finishRemovals();
    expect(isInLog()).toBe(false);
    reader.close();
    store.close();
  });
});

describe('the connection itself', () => {
  it('is used by the store only', () => {
    const root = fileURLToPath(new URL('../../src/', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const holders = files.filter((name) =>
      /\b(store|write|read|audit)\.raw\b|\{[^}]*\braw\b[^}]*\}: (WriteStore|Store)\b/.test(
        readFileSync(join(root, name), 'utf8'),
      ),
    );
    expect(holders.filter((name) => !/^store\//.test(name))).toEqual([]);
  });
});
