import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyStore } from '../../src/store/sqlite/verify/verify-store.ts';
import { formatHint } from '../../src/text/hint.ts';
import { entry } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser, OAuthClient } from '../support/oauth-client.ts';
import { addReads, DAY, pruneAll } from '../support/stores/audit.ts';
import { unpackOldStore } from '../support/stores/old-store.ts';
import { createWorld } from '../support/world.ts';

let world: Awaited<ReturnType<typeof createDiaryWorld>>;
beforeEach(async () => {
  world = await createDiaryWorld();
  const change = (id: string, title: string, day: number) => [
    { ...entry(id, { title }), emitted_at: `2026-11-0${day}T00:00:00Z` },
  ];
  await world.ingest('mine', 'entries', change('one', 'changed once', 2));
  await world.ingest('mine', 'entries', change('one', 'changed twice', 3));
  await world.ingest('mine', 'entries', [{ key: 'two', op: 'delete', emitted_at: '2026-11-04T00:00:00Z' }]);
  await world.ingest('mine', 'entries', change('two', 'back again: 東京 und Übung', 5));
  await world.ingest('mine', 'entries', change('two', 'and changed', 6));
  await world.ingest('mine', 'entries', [{ key: 'three', op: 'delete', emitted_at: '2026-11-04T00:00:00Z' }]);
  await addReads(world.store, 12, DAY);
  await pruneAll(world.store, { days: 5 });
});
afterEach(() => world.close());

const verify = () => verifyStore(world.store.directory);
const wrong = async () =>
  (await verify()).filter(({ fine }) => !fine).map(({ check, say }) => `${check}: ${formatHint(say)}`);
const inStore = (sql: string) => {
  world.store.write.raw.pragma('foreign_keys = off');
  world.store.write.raw.exec(sql);
};
const inAudit = (sql: string) => world.store.audit.raw.exec(sql);

describe('pdpp verify', () => {
  it('finds no problem in a sound store while a server writes', async () => {
    const findings = await verify();
    expect(findings.filter(({ fine }) => !fine)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      ...['audit: reads', 'audit: events', 'facets', 'day counts', 'full text', 'large records'],
      ...['history', 'references', 'plans', 'grants'],
    ]);
    await world.ingest('mine', 'entries', [entry('four')]);
    await world.call(world.mine, 'schema');
    expect(await wrong()).toEqual([]);
  });

  it('finds no problem after consent and OAuth requests', async () => {
    const real = await createDiaryWorld({ clock: 'real' });
    const client = await OAuthClient.register(real);
    const { refresh_token } = await client.connect(await createOwnerBrowser(real), { stream: ['0'] });
    await client.refresh(refresh_token);
    expect((await verifyStore(real.store.directory)).filter(({ fine }) => !fine)).toEqual([]);
    real.close();
  });

  it('finds no problem in a store of 0.1.0 after its upgrade', async () => {
    const { directory } = unpackOldStore();
    await expect(verifyStore(directory)).rejects.toMatchObject({ code: 'store_unusable' });
    const old = await createWorld({ directory });
    expect((await verifyStore(directory)).filter(({ fine }) => !fine)).toEqual([]);
    old.close();
  });

  const breaks: [what: string, sql: string, told: RegExp][] = [
    [
      'a record without facets',
      `delete from facets where key = 'one' and stream_id = 1`,
      /^facets: 1 records that no filter finds \(mine\/entries\/one\)$/,
    ],
    [
      'facets without a record',
      `insert into facets (stream_id, t, key, rid) values (1, 5, 'ghost', 42)`,
      /^facets: 1 filtered values of missing records \(ghost\)$/,
    ],
    [
      'a slot with another value',
      `update facets set s0 = 'other' where key = 'one'`,
      /^facets: 2 records whose filtered values disagree with their data \(mine\/entries\/one, theirs\/entries\/one\)$/,
    ],
    [
      'data that is not JSON',
      `update records set data = '{' where key = 'one' and stream_id = 1`,
      /^facets: 1 records whose data cannot be read/,
    ],
    [
      'data of another record',
      `update records set data = replace(data, '"id":"one"', '"id":"uno"') where stream_id = 1`,
      /records whose key disagrees with their data/,
    ],
    [
      'a wrong time',
      `update records set t = t + 1 where key = 'one' and stream_id = 3`,
      /stored under another time/,
    ],
    [
      'a day with a wrong count',
      `update days set n = n + 1 where stream_id = 1`,
      /^day counts: \d+ days with a wrong count \(mine\/entries no day, mine\/entries \d{4}-\d\d-\d\d/,
    ],
    [
      'a day that is gone',
      `delete from days where stream_id = 3`,
      /^day counts: \d+ days without a count \(theirs\/entries/,
    ],
    [
      'a text that is not indexed',
      `delete from texts where rowid = (select rid from records where key = 'one' and stream_id = 1)`,
      /^full text: 1 records that no search finds \(mine\/entries\/one\)$/,
    ],
    [
      'a text of no record',
      `insert into texts (rowid, c0) values (77, 'stray')`,
      /^full text: 1 searched texts of missing records \(row 77\)$/,
    ],
    [
      'a text with another word',
      `delete from texts where rowid = (select rid from records where key = 'one' and stream_id = 3); insert into texts (rowid, c0, c1) select rid, 'theirs uno', 'marker-theirs number 0' from records where key = 'one' and stream_id = 3`,
      /^full text: 1 records whose indexed words disagree with their text \(theirs\/entries\/one\)$/,
    ],
    [
      'a past that overlaps',
      `update history set to_seq = to_seq + 1 where key = 'one' and from_seq = (select min(from_seq) from history where key = 'one')`,
      /^history: 1 past versions that overlap with the next \(one\)$/,
    ],
    [
      'a past with a hole',
      `update history set to_seq = to_seq - 1 where key = 'one' and from_seq = (select max(from_seq) from history where key = 'one')`,
      /past versions that (end before the next begins|end before they begin)/,
    ],
    [
      'a past that runs backwards',
      `update history set to_seq = from_seq where key = 'one'`,
      /past versions that end before they begin/,
    ],
    [
      'a past of nothing',
      `delete from deletions where key = 'three'`,
      /^history: 1 past versions of records that neither exist nor were deleted \(three\)$/,
    ],
    [
      'a record that exists although it was deleted',
      `insert into deletions values (1, 'one', 1, 1)`,
      /records that exist although they were deleted \(one\)/,
    ],
    [
      'a counter that went back',
      `update counters set value = 1 where name = 'seq'`,
      /^history: \d+ rows of records numbered beyond the last change/,
    ],
    [
      'a stream that is gone',
      'delete from streams where stream_id = 3',
      /^references: \d+ rows of records in a missing stream \(stream 3/,
    ],
    [
      'a token of a grant that is gone',
      'delete from grants',
      /^references: \d+ rows of tokens that refer to missing grants/,
    ],
    ['a grant that cannot be read', `update grants set body = '{}'`, /^grants: \d+ unreadable grants/],
    [
      'a plan that lost a field',
      `update streams set plan = json_remove(plan, '$.slots.title') where stream_id = 1`,
      /plans: 1 streams whose plan disagrees with its declaration \(mine\/entries\)/,
    ],
    [
      'a plan that cannot be read',
      `update streams set plan = '{}' where stream_id = 1`,
      /^records: could not be checked completely: its declaration cannot be read/,
    ],
    [
      'a declared stream without a place',
      `delete from streams where stream_id = 3; delete from records where stream_id = 3; delete from facets where stream_id = 3; delete from days where stream_id = 3`,
      /plans: 1 declared streams without a slot plan \(theirs\/entries\)/,
    ],
  ];
  it.each(breaks)('D-01 reports %s', async (_, sql, told) => {
    inStore(sql);
    expect(await wrong()).toContainEqual(expect.stringMatching(told));
  });

  it('L-02 reports a removed read', async () => {
    inAudit('delete from audit where id = 9');
    expect(await wrong()).toEqual(['audit: reads: 1 reads are missing (number 9)']);
  });

  it('lists a few examples of many problems, and changes nothing', async () => {
    inStore('delete from facets');
    const [facets] = (await verify()).filter(({ check }) => check === 'facets');
    expect(facets?.problems).toMatchObject([{ count: 5, examples: { length: 3 } }]);
    expect(facets?.say).toMatch(/, …\)$/);
  });
});
