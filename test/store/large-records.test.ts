import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/sqlite/migrations.ts';
import { verifyStore } from '../../src/store/sqlite/verify/verify-store.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { createOldStore } from '../support/stores/old-store.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { createWorld, type World } from '../support/world.ts';

const LONG = 'some words '.repeat(12_000);

let world: World;
afterEach(() => world.close());

async function openDiary(): Promise<void> {
  world = await createWorld();
  await world.addSource(diarySource, { mine: 'Mine' });
}

const put = (data: Record<string, unknown>, emitted_at = '2026-11-01T00:00:00Z') =>
  world.ingest('mine', 'entries', [entry('one', data, emitted_at)]);

function listLarge() {
  const { raw } = world.store.write;
  const seqs = (table: string) => raw.prepare(`select distinct seq from ${table} order by seq`).pluck().all();
  return {
    records: seqs('large_records'),
    fields: seqs('large_fields'),
    pieces: seqs('large_pieces'),
  };
}

describe('a large record', () => {
  it('is stored field by field, and its earlier versions too', async () => {
    await openDiary();
    await put({ title: 'short', body: LONG, tags: ['a'] });
    await put({ title: 'edited', body: LONG }, '2026-11-02T00:00:00Z');
    expect(listLarge()).toEqual({ records: [1, 2], fields: [1, 2], pieces: [1, 2] });
    const fields = world.store.write.raw
      .prepare('select field, type, chars from large_fields where seq = 1 order by field')
      .all();
    expect(fields).toEqual([
      { field: 'body', type: 'text', chars: LONG.length },
      { field: 'id', type: 'short', chars: 0 },
      { field: 'tags', type: 'short', chars: 0 },
      { field: 'title', type: 'short', chars: 0 },
    ]);
  });

  it('leaves nothing behind when it is deleted, in any version', async () => {
    await openDiary();
    await put({ body: LONG });
    await put({ body: `${LONG} more` }, '2026-11-02T00:00:00Z');
    await world.ingest('mine', 'entries', [{ key: 'one', op: 'delete', emitted_at: '2026-11-03T00:00:00Z' }]);
    expect(listLarge()).toEqual({ records: [], fields: [], pieces: [] });
  });

  it('gets a field that is declared later', async () => {
    await openDiary();
    await put({ body: LONG, mood: { calm: 'yes' } });
    const [entries, members] = diarySource.streams as [(typeof diarySource.streams)[0], object];
    const properties = { ...entries.schema.properties, mood: { type: 'object' } };
    const grown = { ...entries, schema: { ...entries.schema, properties } };
    await world.addSource(
      { ...diarySource, declaration_version: '2', streams: [grown, members] },
      { mine: 'Mine' },
    );
    const { token } = await world.grant([{ connection_id: 'mine', stream: 'entries' }]);
    const { structuredContent } = await world.call(token, 'query_records', { stream: 'entries' });
    expect(structuredContent.data[0].record.mood).toEqual({ calm: 'yes' });
  });

  it('is reported by verify if its parts are missing or differ', async () => {
    await openDiary();
    await put({ body: LONG });
    const findings = async () => (await verifyStore(world.store.directory)).filter(({ fine }) => !fine);
    expect(await findings()).toEqual([]);
    world.store.write.raw.exec(`update large_fields set value = '"changed"' where field = 'body'`);
    expect((await findings()).map(({ check }) => check)).toEqual(['large records']);
  });
});

describe('a store of a version without large records', () => {
  it('is upgraded, and answers like a newly filled one', async () => {
    const directory = join(makeFolder(), 'old');
    const data = { title: 'old', body: LONG, tags: ['red'], extra: { wide: 'x'.repeat(3_000) } };
    await openDiary();
    await put({ ...data, title: 'first' });
    await put(data, '2026-11-02T00:00:00Z');
    const fresh = world;
    copyAsOld(fresh.store.directory, directory);
    world = await createWorld({ directory });
    const ask = async (from: World) => {
      const { token } = await from.grant([{ connection_id: 'mine', stream: 'entries' }]);
      const answers = [
        await from.call(token, 'query_records', { stream: 'entries', filter: { tags: 'red' } }),
        await from.call(token, 'fetch', { id: 'mine/entries/one', offset: 40_000 }),
        await from.call(token, 'search', { query: 'words' }),
      ];
      return answers.map(({ content }) => content[0]?.text.replaceAll(/req_\w+/g, 'req'));
    };
    expect(await ask(world)).toEqual(await ask(fresh));
    expect(listLarge()).toEqual({ records: [1, 2], fields: [1, 2], pieces: [1, 2] });
    fresh.close();
  });
});

/** The migrations before that of large records, which a migration for accounts follows. */
const BEFORE_LARGE_RECORDS = migrations.length - 2;

/** The same records in a store of the version before large records were stored field by field. */
function copyAsOld(from: string, to: string): void {
  createOldStore(to, BEFORE_LARGE_RECORDS, (database) => {
    database.prepare('attach ? as fresh').run(join(from, 'store.sqlite'));
    for (const table of ['sources', 'connections', 'streams', 'records', 'facets', 'history', 'days'])
      database.exec(`insert into ${table} select * from fresh.${table}`);
    database.exec(
      `insert or replace into counters select * from fresh.counters;
       insert or replace into settings select * from fresh.settings;
       update history set data = (select l.data from fresh.large_past l where l.seq = from_seq) where data like '#%'`,
    );
  });
}
