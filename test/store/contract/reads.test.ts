import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../src/store/batches.ts';
import type { MeasuredPart } from '../../../src/store/record-reads.ts';
import type { FieldKind, Scope, StoredStream } from '../../../src/store/scope.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import type { ReadStore } from '../../../src/store/store.ts';
import { formatSum } from '../../../src/store/sum.ts';
import { NO_TIME } from '../../../src/store/values.ts';
import { DAY_MS } from '../../../src/time/durations.ts';
import { indexText } from '../../../src/words/index-text.ts';
import { matchWord } from '../../../src/words/match-terms.ts';
import { openTestStore } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';

const AT = '2026-11-18T00:00:00.000Z';
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);

const kinds: Record<string, FieldKind> = {
  author: 'string',
  amount: 'integer',
  is_mine: 'boolean',
  person_id: 'string',
  tags: 'list',
  sent_at: 'date-time',
  title: 'string',
  body: 'text',
};
const field = (name: string) => ({ name, kind: kinds[name] ?? 'string' });
const plan = {
  slots: { author: 0, amount: 1, is_mine: 2, person_id: 3, title: 4 },
  texts: { title: 0, body: 1 },
};

function makeStream(streamId: number): StoredStream {
  return {
    streamId,
    connection: { connection_id: 'mine' },
    fields: new Map(
      Object.keys(kinds).map((name) => [
        name,
        { ...field(name), search: name === 'title' || name === 'body' },
      ]),
    ),
    timeField: field('sent_at'),
    plan,
  };
}

const [notes, people] = [makeStream(1), makeStream(2)];

function scopeOf(stream: StoredStream, limits: Partial<Scope> = {}): Scope {
  const fieldNames = limits.fieldNames ?? Object.keys(kinds);
  return {
    stream,
    fields: new Set(fieldNames),
    fieldNames,
    since: undefined,
    until: undefined,
    keys: undefined,
    ...limits,
  };
}

const all = scopeOf(notes);
/** Shows b and c. */
const windowed = scopeOf(notes, { since: day(1, 2), until: day(2, 1) });
/** Shows a and d. */
const keyed = scopeOf(notes, { keys: new Set(['a', 'd']) });
/** Shows every record, without its body and its author. */
const narrow = scopeOf(notes, { fieldNames: ['title', 'amount', 'sent_at'] });

const TITLES = { a: 'lamp blue', b: 'lamp red', c: 'lantern', d: 'lamp lamp green', e: 'blue' };

function put(
  key: string,
  t: number,
  data: Record<string, string | number | string[]>,
  emittedAt = 1,
): Change {
  const { author = null, amount = null, is_mine = null, person_id = null, title = null } = data;
  const values = { author, amount, is_mine, person_id, title } as Record<string, string | number | null>;
  const texts = { title: indexText(String(title ?? '')), body: indexText(String(data.body ?? '')) };
  return { op: 'put', key, t, emittedAt, data: JSON.stringify(data), values, texts };
}

const changes = [
  put('a', day(1, 1), {
    title: TITLES.a,
    author: 'Ann',
    amount: 10,
    is_mine: 1,
    person_id: 'p1',
    body: 'secret',
  }),
  put('b', day(1, 2), { title: TITLES.b, author: 'Bob', amount: 20, is_mine: 0, person_id: 'p2' }),
  put('c', day(1, 3), { title: TITLES.c, author: 'Ann', amount: 30, is_mine: 1, tags: ['x', 'y'] }),
  put('d', day(2, 1), { title: TITLES.d, author: 'Cid', amount: 40, is_mine: 0, person_id: 'p1' }),
  put('e', NO_TIME, { title: TITLES.e, author: 'Ann', amount: 50, is_mine: 0 }),
];

const called = new Set<string>();

/** Passes reads on and notes their names. */
function noteCalls<T extends object>(reads: T, prefix: string): T {
  return new Proxy(reads, {
    get(target, name, receiver) {
      const read: unknown = Reflect.get(target, name, receiver);
      if (typeof read === 'object' && read !== null) return noteCalls(read, `${prefix}${String(name)}.`);
      called.add(`${prefix}${String(name)}`);
      return read;
    },
  });
}

const listNames = (reads: object, prefix: string): string[] =>
  Object.entries(reads).flatMap(([name, read]) =>
    typeof read === 'object' ? listNames(read, `${prefix}${name}.`) : `${prefix}${name}`,
  );

describe('the reads of a store', () => {
  let store: SqliteStore;
  let records: ReadStore['records'];
  let search: ReadStore['search'];
  let stored: ReadStore['stored'];
  let names: string[] = [];

  beforeEach(async () => {
    store = await openTestStore(makeFolder());
    const { catalog, batches } = store.write;
    await store.write.transact(async () => {
      await catalog.putSource('diary', '{"streams":[]}', '1', AT);
      await catalog.putConnection({
        connection_id: 'mine',
        connector_key: 'diary',
        display_name: 'Mine',
        created_at: AT,
      });
      for (const [stream, { streamId }] of Object.entries({ notes, people }))
        await catalog.addStream({
          stream_id: streamId,
          connection_id: 'mine',
          stream,
          plan: JSON.stringify(plan),
        });
    });
    await batches.write(1, changes);
    await batches.write(2, [
      put('p1', day(1, 1), { title: 'Pia' }),
      put('p2', day(1, 1), { title: 'Quentin' }),
    ]);
    records = noteCalls(store.read.records, 'records.');
    search = noteCalls(store.read.search, 'search.');
    stored = noteCalls(store.read.stored, 'stored.');
    names = [
      ...listNames(store.read.records, 'records.'),
      ...listNames(store.read.search, 'search.'),
      ...listNames(store.read.stored, 'stored.'),
    ];
  });
  afterEach(() => store.close());
  afterAll(() => {
    expect(names.filter((name) => !called.has(name))).toEqual([]);
  });

  it('return pages in order, within the scope, and as of the first page', async () => {
    const sort = { field: field('amount'), direction: 'desc' } as const;
    const first = await records.page(all, { conditions: [], sort, limit: 2 });
    expect(first.rows.map(({ key, value }) => [key, value])).toEqual([
      ['e', 50],
      ['d', 40],
    ]);
    await store.write.batches.write(1, [put('c', day(1, 3), { title: 'changed', amount: 1 }, 2)]);
    const after = { value: 40, key: 'd', ties: 'after-key' } as const;
    const rest = await records.page(all, { conditions: [], sort, limit: 9, after, horizon: first.horizon });
    expect(rest.rows.map(({ key }) => key)).toEqual(['c', 'b', 'a']);
    expect(rest.rows[0]?.record.title).toBe('lantern');
    const page = (scope: Scope) =>
      records.page(scope, { conditions: [], sort: { field: undefined, direction: 'asc' }, limit: 9 });
    expect((await page(windowed)).rows.map(({ key }) => key)).toEqual(['b', 'c']);
    expect((await page(keyed)).rows.map(({ key }) => key)).toEqual(['a', 'd']);
    expect(Object.keys((await page(narrow)).rows[0]?.record ?? {})).toEqual(['title', 'amount']);
  });

  it('find records by key, and the newest of each scope', async () => {
    expect((await records.find(all, 'a', 'exact')).map(({ key, t }) => [key, t])).toEqual([['a', day(1, 1)]]);
    expect(await records.find(windowed, 'a', 'exact')).toEqual([]);
    expect((await records.find(scopeOf(people), 'p', 'prefix')).map(({ key }) => key)).toEqual(['p1', 'p2']);
    const newest = await records.newest([all, windowed], 1);
    expect(newest.map(({ at, key }) => [at, key])).toEqual([
      [0, 'd'],
      [1, 'c'],
    ]);
    const found = await records.recordsAt([all, windowed], [...newest, { at: 1, t: 0, key: 'a' }]);
    expect(found.map(({ at, key }) => [at, key]).sort()).toEqual([
      [0, 'd'],
      [1, 'c'],
    ]);
  });

  it('return changes of the granted part, and marks for records that are gone', async () => {
    const since = await records.horizon();
    await store.write.batches.write(1, [
      put(
        'a',
        day(1, 1),
        { title: TITLES.a, author: 'Zoe', amount: 10, is_mine: 1, person_id: 'p1', body: 'other' },
        2,
      ),
      put('b', day(1, 2), { title: 'new title', author: 'Bob', amount: 20 }, 2),
      { op: 'delete', key: 'c', emittedAt: 2 },
    ]);
    const horizon = await records.horizon();
    const read = async (scope: Scope) =>
      (await records.changes(scope, { since, horizon, afterKey: undefined, limit: 9 })).map((change) =>
        'removed' in change ? `${change.key} is gone` : change.key,
      );
    expect(horizon).toBeGreaterThan(since);
    expect(await read(all)).toEqual(['a', 'b', 'c is gone']);
    expect(await read(narrow)).toEqual(['b', 'c is gone']);
    expect(await read(keyed)).toEqual(['a']);
  });

  it('return keys and names', async () => {
    expect(await records.keys(all, { after: 'a', below: 'd' }, 9)).toEqual(['b', 'c']);
    expect(await records.keys(windowed, { from: 'a' }, 1)).toEqual(['b']);
    expect((await records.knownKeys(windowed, ['a', 'b', 'z'])).sort()).toEqual(['b']);
    const isAnn = { field: field('author'), op: 'any', values: ['Ann'] } as const;
    expect(await records.keysWhere(all, [isAnn], 2)).toEqual(['a', 'c']);
    expect(await records.keysWhere(keyed, [isAnn], 9)).toEqual(['a']);
    expect(await records.names(windowed, field('title'), ['a', 'b'])).toEqual([
      { key: 'b', name: 'lamp red' },
    ]);
    expect(await records.named(scopeOf(people), field('title'), ['quentin', 'nobody'], 9)).toEqual([
      { key: 'p2', name: 'Quentin' },
    ]);
  });

  it('count records, by period and by month, and return the span', async () => {
    const january = [day(1, 1), day(2, 1)] as const;
    expect(await records.count(all, [])).toBe(5);
    expect(await records.count(all, [], { from: day(1, 2) })).toBe(3);
    expect(await records.count(all, [{ field: field('amount'), op: 'gt', value: 20 }])).toBe(3);
    expect(await records.count(keyed, [], { to: day(2, 1) })).toBe(1);
    expect(await records.countTogether([windowed, keyed, scopeOf(people)])).toBe(6);
    for (const [scope, counts] of [
      [all, [3, 0]],
      [windowed, [2, 0]],
      [keyed, [1, 0]],
    ] as const)
      expect(await records.countPeriods(scope, [january, [day(1, 5), day(1, 6)]])).toEqual(counts);
    expect(await records.months(all)).toEqual([
      { month: '2026-01', n: 3 },
      { month: '2026-02', n: 1 },
    ]);
    expect(await records.months(windowed)).toEqual([{ month: '2026-01', n: 2 }]);
    expect(await records.span(keyed)).toEqual({ first: day(1, 1), last: day(2, 1) });
    expect(await records.span(scopeOf(notes, { keys: new Set(['e']) }))).toBeUndefined();
  });

  it('return values of visible records', async () => {
    expect(await records.values([all], field('author'), 2)).toEqual({ values: ['Ann', 'Bob'], total: 3 });
    expect(await records.values([windowed], field('author'), 9)).toEqual({
      values: ['Ann', 'Bob'],
      total: 2,
    });
    const part = (scope: Scope) => ({ scope, field: field('title') });
    expect(await records.valuesContaining([part(all)], 'LAMP', 9)).toEqual([
      'lamp blue',
      'lamp lamp green',
      'lamp red',
    ]);
    expect(await records.valuesContaining([part(windowed)], 'lamp', 9)).toEqual(['lamp red']);
    expect(await records.valuesAmong(windowed, field('author'), ['Cid', 'Bob'])).toEqual(['Bob']);
    expect(await records.valuesAmong(all, field('tags'), ['y', 'z'])).toEqual(['y']);
    const authors = (scope: Scope) => ({ scope, flag: field('is_mine'), authors: [field('author')] });
    expect(await records.flaggedAuthors([authors(all)])).toEqual(['Ann']);
    expect(await records.flaggedAuthors([authors(scopeOf(notes, { keys: new Set(['b']) }))])).toEqual([]);
  });

  it('measure visible records', async () => {
    const { measures } = records;
    const part = (scope: Scope, more: Partial<MeasuredPart> = {}): MeasuredPart => ({
      scope,
      conditions: [],
      field: field('amount'),
      groupBy: [],
      ...more,
    });
    const sum = { metric: 'sum', summation: 'exact' } as const;
    const show = ({ value }: { value: unknown }) => formatSum(value as Parameters<typeof formatSum>[0]);
    expect(show(await measures.total([part(all)], sum))).toBe(150);
    expect(show(await measures.total([part(windowed), part(keyed)], sum))).toBe(100);
    const periods = [
      [day(1, 1), day(2, 1)],
      [day(2, 1), day(3, 1)],
    ] as const;
    expect((await measures.totalsByPeriod([part(all)], sum, periods)).map(show)).toEqual([60, 40]);
    expect((await measures.totalsByPeriod([part(keyed)], sum, periods)).map(show)).toEqual([10, 40]);
    const ranges = [20, 40].map((value) => [{ field: field('amount'), op: 'gte', value } as const]);
    const ranged = (scope: Scope) => ({ ...part(scope), ranged: field('amount'), ranges });
    expect((await measures.totalsByRange([ranged(all)], sum)).map(show)).toEqual([140, 90]);
    expect((await measures.totalsByRange([ranged(windowed)], sum)).map(show)).toEqual([50, 0]);
    const byAuthor = [{ kind: 'own', field: field('author') }] as const;
    expect(await measures.isMixed([part(windowed, { groupBy: byAuthor })])).toBe(true);
    const onlyA = scopeOf(notes, { keys: new Set(['a']) });
    expect(await measures.isMixed([part(onlyA, { groupBy: byAuthor })])).toBe(false);
    expect(await measures.extreme([part(windowed, { field: field('sent_at') })], 'max')).toBe(day(1, 3));
    const order = { by: 'size', direction: 'desc' } as const;
    const grouped = await measures.groups([part(all, { groupBy: byAuthor })], sum, order, 2);
    expect(grouped.groups.map((group) => [...group.by, show(group), group.records])).toEqual([
      ['Ann', 90, 3],
      ['Cid', 40, 1],
    ]);
    expect([grouped.groupCount, grouped.records, show(grouped)]).toEqual([3, 5, 150]);
    const related = [
      { kind: 'related', field: field('title'), key: field('person_id'), target: scopeOf(people) },
    ] as const;
    const byPerson = await measures.groups(
      [part(keyed, { groupBy: related })],
      { metric: 'count', summation: 'exact' },
      order,
      9,
    );
    expect(byPerson.groups.map(({ by, value }) => [...by, value])).toEqual([['Pia', 2]]);
    const byTime = [part(windowed, { groupBy: [{ kind: 'own', field: field('sent_at') }] })];
    const buckets = await measures.buckets(byTime, sum, [day(1, 1), day(1, 3), day(1, 4)]);
    expect([...buckets].map(([index, total]) => [index, show(total)])).toEqual([
      [0, 20],
      [1, 30],
    ]);
  });

  it('find words in granted fields of visible records', async () => {
    const parts = (scope: Scope) => [{ scope, conditions: [] }];
    const keysOf = async (scope: Scope, numbers: readonly number[]) =>
      (await search.newest(parts(scope), numbers, 9)).map(({ key }) => key);
    const lamp = matchWord('lamp');
    expect(await keysOf(all, await search.newestMatching(parts(all), lamp, 2))).toEqual(['d', 'b']);
    const matching = await search.matching(parts(all), lamp, 9);
    expect(await keysOf(all, matching)).toEqual(['d', 'b', 'a']);
    expect(await keysOf(windowed, matching)).toEqual(['b']);
    expect(await search.countMatching(parts(all), lamp, 2)).toBe(2);
    expect(await search.inSnapshot(() => search.countMatching(parts(all), lamp, 9))).toBe(3);
    expect(await search.countMatching(parts(keyed), lamp, 9)).toBe(2);
    expect(await search.countMatching(parts(all), matchWord('secret'), 9)).toBe(1);
    expect(await search.countMatching(parts(narrow), matchWord('secret'), 9)).toBe(0);

    const roles = new Map([[1, new Map([['title', 'title' as const]])]]);
    const postings = await search.postings(parts(keyed), roles, { word: 'lamp', isPrefix: false });
    expect([postings.title, postings.body, postings.ends].map((list) => [...list])).toEqual([
      [1, 2],
      [0, 0],
      [1, 3],
    ]);
    expect(await keysOf(all, [...postings.records])).toEqual(['d', 'a']);
    const begun = await search.postings(parts(all), roles, { word: 'la', isPrefix: true });
    expect(begun.records).toHaveLength(4);

    const rows = await search.newest(parts(all), matching, 9);
    expect(rows.map(({ words }) => words)).toEqual([3, 2, 3]);
    const request = { fields: new Map([[1, ['title', 'body']]]), characters: 4 };
    const texts = [];
    for await (const { record } of search.texts(parts(narrow), rows.slice(1), request)) texts.push(record);
    expect(texts).toEqual([{ title: 'lamp' }, { title: 'lamp' }]);
    expect(await search.wordsWithPrefix('lamp')).toEqual(['lamp']);
  });

  it('return counts and records for the owner and for imports', async () => {
    const first = day(1, 1) / DAY_MS;
    expect([...(await stored.spans()).values()]).toEqual([
      { stream_id: 1, records: 5, first, last: day(2, 1) / DAY_MS },
      { stream_id: 2, records: 2, first, last: first },
    ]);
    expect((await stored.spans(first)).get(1)).toMatchObject({ records: 5, last: first });
    expect(await stored.count()).toBe(7);
    expect([...(await stored.lastChanges()).keys()]).toEqual([1, 2]);
    const { records: found } = await stored.find(1, ['a', 'z']);
    expect([...found.keys()]).toEqual(['a']);
    expect(await stored.countValue(notes, 'author', 'Ann')).toBe(3);
    expect(await stored.keyTimes(1, ['b', 'z'])).toEqual(new Map([['b', day(1, 2)]]));
    expect(await stored.keysWithValue(1, ['body', 'tags'])).toEqual(['a', 'c']);
    expect(await stored.isEmptyConnection('mine')).toBe(false);
    expect(await stored.isEmptyConnection('other')).toBe(true);
    const { words, last } = await stored.words(0, 100);
    expect(words).toContain('lantern');
    expect(await stored.words(last, 100)).toEqual({ words: [], last });
  });
});
