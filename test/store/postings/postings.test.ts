import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectWords, type TextChange } from '../../../src/store/postings/collect-words.ts';
import { splitIndexText } from '../../../src/store/postings/index-words.ts';
import { type Block, mergeBlock, overlayLists } from '../../../src/store/postings/merge-block.ts';
import { decodePositions, PostingReader, positionOf } from '../../../src/store/postings/posting-list.ts';
import { encodeSegment, findInChunk, readChunk } from '../../../src/store/postings/segment.ts';
import { termKey } from '../../../src/store/postings/term-key.ts';
import { encodeLengths, sumLengths } from '../../../src/store/postings/word-lengths.ts';
import { ridOf } from '../../../src/store/records/rid.ts';
import { compareText } from '../../../src/store/values.ts';
import { indexText } from '../../../src/words/index-text.ts';

const STREAM = 5;
const rid = fc
  .record({
    minute: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(2 ** 26 - 1)),
    counter: fc.oneof(fc.nat(3), fc.nat(8191)),
  })
  .map(({ minute, counter }) => ridOf(minute, STREAM, counter));
const word = fc.constantFrom(
  'a',
  'bee',
  'crème',
  '東',
  '\u{1f600}x',
  '\u{20000}',
  '\uffee',
  'long'.repeat(600),
);
const text = fc.array(word, { maxLength: 6 }).map((words) => indexText(words.join(' ')));
const texts = fc.array(text, { minLength: 8, maxLength: 8 });
const change = fc.record({ rid, texts: fc.option(texts, { nil: undefined }) });

/** What an index holds: positions by word, then by record. */
type Held = Map<string, Map<number, number[]>>;

describe('posting lists', () => {
  it('hold after batches and merges what the last texts of the records hold', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 5 }), (batches) => {
        const stored = new Map<number, string[]>();
        const blocks = new Map<string, Block[]>();
        for (const batch of batches) {
          const changes = toChanges(batch, stored);
          for (const { rid: id, after } of changes)
            if (after === undefined) stored.delete(id);
            else stored.set(id, [...after]);
          const chunks = encodeSegment(
            changes.map((one) => one.rid),
            collectWords(changes),
          );
          const keys = chunks.flatMap(({ data }) => [...readChunk(data)].map(({ key }) => key));
          expect(keys).toEqual([...new Set(keys)].sort(compareText));
          for (const { data } of chunks) for (const entry of readChunk(data)) mergeEntry(blocks, entry);
        }
        expect(list(readBlocks(blocks))).toEqual(list(expectedPositions(stored)));
      }),
      { numRuns: 60 },
    );
  });

  it('find the list of a key in a chunk, and no other', () => {
    fc.assert(
      fc.property(texts, (some) => {
        const chunks = encodeSegment(
          [ridOf(7, STREAM, 1)],
          collectWords([{ rid: 1, before: [], after: some }]),
        );
        for (const key of ['a', 'bee', 'be', 'beea', 'zzz']) {
          const found = chunks.flatMap(({ data }) => findInChunk(data, Buffer.from(key)) ?? []);
          expect(found.length > 0).toBe(some.some((one) => splitIndexText(one).includes(key)));
        }
      }),
    );
  });

  it('keep any row id and any positions', () => {
    const positions = fc.uniqueArray(fc.tuple(fc.nat(7), fc.oneof(fc.nat(200), fc.nat(2 ** 32 - 1))), {
      minLength: 1,
      selector: (pair) => pair.join(),
    });
    fc.assert(
      fc.property(rid, positions, (id, pairs) => {
        const sorted = pairs.map(([column, offset]) => positionOf(column, offset)).sort((a, b) => a - b);
        const [chunk] = encodeSegment(
          [id],
          [{ key: 'w', pairs: sorted.flatMap((position) => [0, position]) }],
        );
        const list = findInChunk(chunk?.data as Buffer, Buffer.from('w'));
        expect(list).toBeDefined();
        if (list === undefined) return;
        const reader = new PostingReader(list.bytes, STREAM, list.start, list.end);
        const read: number[] = [];
        expect(reader.next(read)).toBe(true);
        expect([reader.rid, read]).toEqual([id, sorted]);
        expect(reader.next()).toBe(false);
      }),
    );
  });

  it('are cut into blocks of at most 1,800 bytes, but for a record with more positions', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({
      rid: ridOf(at * 40, STREAM, at % 3),
      before: [],
      after: ['w '.repeat(at === 100 ? 5_000 : 1 + (at % 9))],
    }));
    const blocks = new Map<string, Block[]>();
    for (const part of [many.filter((_, at) => at % 2 === 0), many.filter((_, at) => at % 2 === 1)])
      for (const { data } of encodeSegment(
        part.map((one) => one.rid),
        collectWords(part),
      ))
        for (const entry of readChunk(data)) mergeEntry(blocks, entry);
    const sizes = (blocks.get('w') ?? []).map(({ data }) => data.length);
    expect(sizes.filter((size) => size > 1_800)).toHaveLength(1);
    expect(sizes.length).toBeGreaterThan(5);
    const expected = expectedPositions(new Map(many.map((one) => [one.rid, one.after])));
    expect(list(readBlocks(blocks))).toEqual(list(expected));
  });
});

describe('words of an index text', () => {
  it('are those of the full-text index of SQLite, with their positions and numbers', () => {
    const database = new Database(':memory:');
    database.exec(`create virtual table t using fts5 (c, content = '', contentless_delete = 1, tokenize = 'ascii');
      create virtual table v using fts5vocab (t, instance);`);
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ maxLength: 40 }),
      fc
        .array(fc.constantFrom('ÄÖ', 'İ', 'ΑΣ', 'ﬁ', '日本', '\0', 'A', '_', '-', ' ', '\ud800', '\u{1f600}'))
        .map((all) => all.join('')),
      fc.constant(`${'ä'.repeat(20_000)} z`),
    );
    fc.assert(
      fc.property(any, (raw) => {
        const indexed = indexText(raw);
        database.exec('delete from t');
        database.prepare('insert into t (rowid, c) values (1, ?)').run(indexed);
        const words = database
          .prepare('select cast(term as text) from v order by offset')
          .pluck()
          .all() as string[];
        expect(splitIndexText(indexed)).toEqual(words);
      }),
      { numRuns: 500 },
    );
    database.close();
  });

  it('have keys that fit into an index, each its own', () => {
    const long = 'x'.repeat(2_500);
    for (const one of [long, `${long}y`, 'é'.repeat(1_001), `${'é'.repeat(1_000)}zz`])
      expect(Buffer.byteLength(termKey(one))).toBeLessThanOrEqual(2_000);
    expect(termKey(long)).not.toBe(termKey(`${long}y`));
    expect(termKey(long).startsWith(long.slice(0, 1_900))).toBe(true);
    expect(termKey('é'.repeat(1_000))).toBe('é'.repeat(1_000));
  });

  it('are counted by column', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { maxLength: 8 }), fc.nat(255), (lengths, columns) => {
        const sum = lengths.reduce((total, one, at) => total + ((columns & (1 << at)) !== 0 ? one : 0), 0);
        expect(sumLengths(encodeLengths(lengths), columns)).toBe(sum);
      }),
    );
  });
});

/** Returns a batch as an index takes it: the last texts of each record, by row id. */
function toChanges(
  batch: readonly { rid: number; texts: string[] | undefined }[],
  stored: ReadonlyMap<number, string[]>,
): TextChange[] {
  const last = new Map(batch.map((one) => [one.rid, one.texts]));
  return [...last]
    .sort(([a], [b]) => a - b)
    .map(([id, after]) => ({ rid: id, before: stored.has(id) ? [stored.get(id) as string[]] : [], after }));
}

function mergeEntry(
  blocks: Map<string, Block[]>,
  entry: { key: string; bytes: Buffer; start: number; end: number },
): void {
  const old = blocks.get(entry.key) ?? [];
  const fresh = overlayLists([entry], STREAM);
  const merged =
    old.length === 0
      ? mergeBlock(undefined, STREAM, fresh)
      : old.flatMap(({ data }, at) => {
          const from = at === 0 ? 0 : (old[at] as Block).firstRid;
          const to = old[at + 1]?.firstRid ?? Number.POSITIVE_INFINITY;
          return mergeBlock(
            data,
            STREAM,
            fresh.filter((one) => one.rid >= from && one.rid < to),
          );
        });
  blocks.set(entry.key, merged);
}

function readBlocks(blocks: ReadonlyMap<string, readonly Block[]>): Held {
  const held: Held = new Map();
  for (const [key, list] of blocks)
    for (const { firstRid, data } of list) {
      const reader = new PostingReader(data, STREAM);
      for (let isFirst = true; reader.next(); isFirst = false) {
        if (isFirst && reader.rid !== firstRid) throw new Error('a block begins with another record');
        const records = held.get(key) ?? new Map<number, number[]>();
        held.set(key, records);
        if (records.has(reader.rid)) throw new Error('a record is in two blocks');
        records.set(reader.rid, decodePositions(data, reader.positionsStart, reader.positionsEnd));
      }
    }
  return held;
}

/** Returns what an index holds as one line for each word and record, in order. */
function list(held: Held): string[] {
  return [...held]
    .flatMap(([key, records]) => [...records].map(([id, positions]) => `${key} ${id} ${positions}`))
    .sort();
}

function expectedPositions(stored: ReadonlyMap<number, readonly string[]>): Held {
  const held: Held = new Map();
  for (const [id, columns] of stored)
    for (const [column, one] of columns.entries())
      for (const [offset, found] of splitIndexText(one).entries()) {
        const records = held.get(termKey(found)) ?? new Map<number, number[]>();
        held.set(termKey(found), records);
        records.set(id, [...(records.get(id) ?? []), positionOf(column, offset)]);
      }
  return held;
}
