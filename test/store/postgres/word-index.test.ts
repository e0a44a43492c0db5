import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connections } from '../../../src/store/postgres/connections.ts';
import { type Databases, openDatabases } from '../../../src/store/postgres/database.ts';
import { addOwner } from '../../../src/store/postgres/owners.ts';
import { joinSnapshots } from '../../../src/store/postgres/search/join-snapshots.ts';
import { matchPages } from '../../../src/store/postgres/search/match-pages.ts';
import { splitTerms } from '../../../src/store/postgres/search/match-words.ts';
import { mergeWords } from '../../../src/store/postgres/search/merge-words.ts';
import { readWords, type WordScope } from '../../../src/store/postgres/search/read-words.ts';
import { createReadWords, createSearchReads } from '../../../src/store/postgres/search/search-reads.ts';
import { createWordIndex } from '../../../src/store/postgres/search/word-index.ts';
import { sql } from '../../../src/store/postgres/sql.ts';
import { COLUMN_SPAN, decodePositions } from '../../../src/store/postings/posting-list.ts';
import { ridOf, streamOf } from '../../../src/store/records/rid.ts';
import { writeExpression } from '../../../src/store/sqlite/reads/search/match-sql.ts';
import { indexText } from '../../../src/words/index-text.ts';
import type { MatchTerms, Spelling } from '../../../src/words/match-terms.ts';
import { useSharedDatabase } from '../../support/postgres/databases.ts';

const STREAMS = [3, 4];
const ALL_COLUMNS = 255;
const AT = '2026-11-18T00:00:00.000Z';

/** The index under test and the full-text index of SQLite, which get the same texts. */
class Pair {
  readonly texts = new Map<number, string[]>();
  readonly sqlite = new Database(':memory:');
  readonly databases: Databases;
  readonly index: ReturnType<typeof createWordIndex>;
  readonly scope: WordScope;

  constructor(connections: Connections, ownerId: number) {
    this.databases = openDatabases(connections, ownerId);
    this.index = createWordIndex(this.databases.writes);
    this.scope = { queries: this.databases.reads, ownerId, streamIds: STREAMS };
    this.sqlite.exec(`create virtual table t using fts5 (c0, c1, c2, c3, c4, c5, c6, c7,
        content = '', contentless_delete = 1, tokenize = 'ascii');
      create virtual table v using fts5vocab (t, instance); create virtual table w using fts5vocab (t, row);`);
  }

  /** Writes the texts of records of one stream as one batch; undefined deletes. */
  async write(streamId: number, batch: readonly (readonly [number, string[] | undefined])[]): Promise<void> {
    const add = this.sqlite.prepare(
      'insert into t (rowid, c0, c1, c2, c3, c4, c5, c6, c7) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const changes = batch.map(([rid, after]) => {
      const old = this.texts.get(rid);
      if (old !== undefined) this.sqlite.prepare('delete from t where rowid = ?').run(rid);
      this.texts.delete(rid);
      if (after !== undefined) {
        add.run(rid, ...after);
        this.texts.set(rid, after);
      }
      return { rid, before: old === undefined ? [] : [old], after };
    });
    await this.databases.writes.transact(() => this.index.write(streamId, changes));
  }

  /** Returns every word and its positions in SQLite, and the same from blocks and segments. */
  async positions(): Promise<[expected: string[], actual: string[]]> {
    const rows = this.sqlite.prepare('select cast(term as text) as term, doc, col, offset from v').all() as {
      term: string;
      doc: number;
      col: string;
      offset: number;
    }[];
    const expected = rows.map(({ term, doc, col, offset }) => `${term} ${doc} ${col.slice(1)} ${offset}`);
    const words = [...new Set(rows.map(({ term }) => term))];
    const actual: string[] = [];
    const masks = new Map(STREAMS.map((stream) => [stream, ALL_COLUMNS]));
    for (const [word, postings] of words.length === 0 ? [] : await readWords(this.scope, words, {}))
      postings.visit(masks, 0, Number.POSITIVE_INFINITY, (rid, _, bytes, start, end) => {
        for (const position of decodePositions(bytes, start, end))
          actual.push(`${word} ${rid} ${Math.floor(position / COLUMN_SPAN)} ${position % COLUMN_SPAN}`);
      });
    return [expected.sort(), actual.sort()];
  }

  /** Returns the records that match in some columns of some streams, from both. */
  async match(terms: MatchTerms, columns: readonly number[], streams: readonly number[]) {
    const rows = this.sqlite
      .prepare('select rowid from t where t match ?')
      .pluck()
      .all(writeExpression(terms, columns));
    const expected = (rows as number[]).filter((rid) => streams.includes(streamOf(rid)));
    const mask = columns.reduce((bits, column) => bits | (1 << column), 0);
    const actual: number[] = [];
    let below = Number.POSITIVE_INFINITY;
    await this.databases.reads.snapshot(async (queries) => {
      const scope = { ...this.scope, queries, streamIds: streams };
      for await (const { rids, low } of matchPages(
        scope,
        splitTerms(terms),
        new Map(streams.map((id) => [id, mask])),
      )) {
        if (rids.some((rid) => rid < low || rid >= below)) throw new Error('a record is outside of its page');
        below = low;
        actual.push(...rids);
      }
    });
    return [expected.sort((a, b) => a - b), actual.sort((a, b) => a - b)];
  }
}

const vocabulary = [
  'a',
  'an',
  'ant',
  'bee',
  'creme',
  'crème',
  '東',
  '京',
  '東京',
  '\u{1f600}',
  '\u{20bb7}野',
  'x'.repeat(2_500),
  'é'.repeat(1_200),
];
const word = fc.constantFrom(...vocabulary);
const text = fc.array(word, { maxLength: 8 }).map((words) => indexText(words.join(' ')));
const texts = fc
  .tuple(text, text, fc.constantFrom('', 'bee ant'))
  .map((some) => [...some, '', '', '', '', '']);
const batch = fc.record({
  stream: fc.constantFrom(...STREAMS),
  records: fc.array(
    fc.record({
      minute: fc.constantFrom(0, 1, 40, 90_000, 60_000_000),
      counter: fc.nat(3),
      texts: fc.option(texts, { nil: undefined }),
    }),
    { maxLength: 15 },
  ),
  isMerged: fc.boolean(),
});
const spelling = fc
  .record({ words: fc.array(word, { minLength: 1, maxLength: 3 }), isPrefix: fc.boolean() })
  .map(({ words, isPrefix }): Spelling => ({ word: indexText(words.join(' ')).slice(0, 600), isPrefix }));
const query = fc.record({
  terms: fc.array(fc.array(spelling, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  columns: fc.constantFrom([0, 1, 2, 3, 4, 5, 6, 7], [0], [1, 2]),
  streams: fc.constantFrom(STREAMS, [3]),
});

describe('the index of words on PostgreSQL', () => {
  let connections: Connections;
  const opened: Pair[] = [];
  const open = async () => {
    const pair = new Pair(connections, await addOwner(connections, randomUUID(), AT));
    opened.push(pair);
    return pair;
  };
  beforeAll(async () => {
    connections = await useSharedDatabase();
  });
  afterAll(() => {
    for (const { sqlite } of opened) sqlite.close();
  });

  it('holds the positions of the full-text index of SQLite, and matches the same records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 1, maxLength: 6 }),
        fc.array(query, { minLength: 4, maxLength: 4 }),
        async (batches, queries) => {
          const pair = await open();
          for (const { stream, records, isMerged } of batches) {
            const last = new Map(records.map((one) => [ridOf(one.minute, stream, one.counter), one.texts]));
            await pair.write(stream, [...last]);
            if (isMerged) await mergeWords(pair.databases.writes);
          }
          const [expected, actual] = await pair.positions();
          expect(actual).toEqual(expected);
          for (const { terms, columns, streams } of queries) {
            const [wanted, found] = await pair.match(terms, columns, streams);
            expect(found, JSON.stringify([terms, columns, streams])).toEqual(wanted);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it('takes 30,000 records at once, long texts and thousands of positions of one word', async () => {
    const pair = await open();
    const wordOf = (n: number) => `w${n}`;
    const many = Array.from({ length: 30_000 }, (_, at): [number, string[]] => [
      ridOf(20_000_000 + ((at * 7_919) % 900_000), 3, at % 50),
      [
        `common ${wordOf(at % 9)} ${wordOf(at % 101)} next ${at % 3 === 0 ? 'to it' : 'it to'} rare${at % 1_000}`,
        '',
        '',
        '',
        '',
        '',
        '',
        '',
      ],
    ]);
    const long = Array.from({ length: 40_000 }, (_, at) => (at % 4 === 0 ? 'the' : `t${at % 7_000}`)).join(
      ' ',
    );
    await pair.write(3, [...new Map(many)]);
    await pair.write(4, [[ridOf(5, 4, 0), [long, '', '', '', '', '', '', 'common']]]);
    const check = async () => {
      for (const terms of [
        [['common']],
        [['w3', 'w4']],
        [['w3'], ['w50']],
        [['rare7'], ['common'], ['w7']],
        [['next to']],
        [['to it rare9']],
        [['the t1']],
        [['common w5'], ['it']],
      ]) {
        const [expected, actual] = await pair.match(
          terms.map((list) => list.map((one) => ({ word: one, isPrefix: false }))),
          [0, 1, 7],
          STREAMS,
        );
        expect(actual, JSON.stringify(terms)).toEqual(expected);
      }
    };
    await check();
    // An edit and a deletion of some, in segments above blocks.
    await pair.write(
      3,
      many
        .slice(0, 500)
        .map(([rid], at) => [rid, at % 2 === 0 ? undefined : ['edited common', '', '', '', '', '', '', '']]),
    );
    await check();
    await mergeWords(pair.databases.writes);
    await check();
    const [expected, actual] = await pair.positions();
    expect(actual.length).toBe(expected.length);
    expect(actual.findIndex((one, at) => one !== expected[at])).toBe(-1);
  }, 120_000);

  it('matches in many streams whose blocks overlap', async () => {
    const pair = await open();
    const many = Array.from({ length: 80 }, (_, at) => 3 + at);
    for (const stream of many.slice(0, 12)) {
      const records = Array.from({ length: stream < 6 ? 4_000 : 300 }, (_, at): [number, string[]] => [
        ridOf(1_000_000 + at * (stream + 40), stream, 0),
        [`common ${at % 3 === 0 ? 'often' : 'else'} w${at % 50}`, '', '', '', '', '', '', ''],
      ]);
      await pair.write(stream, records);
    }
    await mergeWords(pair.databases.writes);
    for (const words of [['common', 'often'], ['w7', 'often'], ['common'], ['common often w9']]) {
      const terms = words.map((one) => [{ word: one, isPrefix: false }]);
      const [expected, actual] = await pair.match(terms, [0, 1], many);
      expect(expected?.length).toBeGreaterThan(80);
      expect(actual).toEqual(expected);
    }
  }, 60_000);

  it('erases a stream, its words and the spellings that no other stream has', async () => {
    const pair = await open();
    const row = (one: string) => [one, '', '', '', '', '', '', ''];
    await pair.write(3, [[ridOf(1, 3, 0), row('shared alone')]]);
    await mergeWords(pair.databases.writes);
    await pair.write(3, [[ridOf(2, 3, 0), row('fresh')]]);
    await pair.write(4, [[ridOf(1, 4, 0), row('shared other')]]);
    const { reads } = pair.databases;
    const words = createReadWords(reads);
    expect((await words(0, 10)).words.sort()).toEqual(['alone', 'fresh', 'other', 'shared']);
    await pair.index.eraseStream(3);
    await pair.index.eraseUnusedSpellings();
    const { words: left, last } = await words(0, 10);
    expect(left.sort()).toEqual(['other', 'shared']);
    expect(await createSearchReads(joinSnapshots(reads)).wordsWithPrefix('sh')).toEqual(['shared']);
    const rows = await reads.query<{ term: string }>(
      sql`select term from word_blocks where owner_id = ${reads.ownerId} order by term`,
    );
    expect(rows.map(({ term }) => term)).toEqual(['other', 'shared']);
    // A process that knew the word before stores it again.
    await pair.write(4, [[ridOf(9, 4, 0), row('alone')]]);
    expect((await words(last, 10)).words).toEqual(['alone']);
  });

  it('stores nothing of a batch that is rolled back', async () => {
    const pair = await open();
    const { writes, reads } = pair.databases;
    const change = { rid: ridOf(1, 3, 0), before: [], after: ['lost', '', '', '', '', '', '', ''] };
    await expect(
      writes.transact(async () => {
        await pair.index.write(3, [change]);
        throw new Error('on purpose');
      }),
    ).rejects.toThrow('on purpose');
    expect((await createReadWords(reads)(0, 10)).words).toEqual([]);
    await writes.transact(() => pair.index.write(3, [change]));
    expect((await createReadWords(reads)(0, 10)).words).toEqual(['lost']);
  });
});
