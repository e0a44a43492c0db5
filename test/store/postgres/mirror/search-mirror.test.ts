import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/store/batches.ts';
import type { FieldRef, Scope, StoredStream } from '../../../../src/store/scope.ts';
import type { FieldRole, MatchedRow, MatchPart } from '../../../../src/store/search-reads.ts';
import { NO_TIME } from '../../../../src/store/values.ts';
import { type MatchTerms, matchWord, type Spelling } from '../../../../src/words/match-terms.ts';
import { checkDrawn, type Draw } from '../../../support/draw.ts';
import { addStreams, write } from './add-streams.ts';
import { drawBatch, drawConditions, streams as drawn, drawScope, index } from './draw-mirror.ts';
import { openMirror, type Side } from './mirror-stores.ts';

const WORDS = ['a', 'ab', 'arger', 'lang', 'zeile', 'x', 'y', '1', 'q', '\ud83d\ude00', 'none', 'la', 'ze'];

/** The second stream has no time. */
const streams = drawn.map(
  (stream, at): StoredStream => (at === 0 ? stream : { ...stream, timeField: undefined }),
);
const isFiltered = ({ timeField }: StoredStream, field: FieldRef) =>
  timeField !== undefined || field.name !== 'time';

function drawChanges(draw: Draw, { timeField }: StoredStream): Change[] {
  return drawBatch(draw).map((change) =>
    change.op === 'put' && timeField === undefined ? { ...change, t: NO_TIME } : change,
  );
}

function drawSpelling(draw: Draw): Spelling {
  const word = draw.chance(25)
    ? `${draw.pick(WORDS)} ${draw.pick(WORDS)}`
    : draw.pick([...WORDS, 'lang lang lang', 'a lang', 'zeile zeile a']);
  return { word, isPrefix: draw.chance(25) };
}

function drawTerms(draw: Draw): MatchTerms {
  return Array.from({ length: 1 + draw.upTo(1) }, () =>
    Array.from({ length: 1 + draw.upTo(2) }, () => drawSpelling(draw)),
  );
}

function drawParts(draw: Draw): MatchPart[] {
  return draw.some([...streams], 80).map((stream): MatchPart => {
    const scope = drawScope(draw, stream);
    const narrow: Scope = draw.chance(50)
      ? { ...scope, since: undefined, until: undefined, keys: undefined }
      : scope;
    return {
      scope: narrow,
      conditions: draw.chance(30)
        ? drawConditions(draw, narrow).filter(({ field }) => isFiltered(stream, field))
        : [],
    };
  });
}

const ROLES: ReadonlyMap<string, FieldRole> = new Map([
  ['label', 'title'],
  ['body', 'body'],
]);

const everything = (): MatchPart[] =>
  streams.map((stream): MatchPart => {
    const fieldNames = [...stream.fields.keys()];
    const scope = { stream, fields: new Set(fieldNames), fieldNames };
    return { scope: { ...scope, since: undefined, until: undefined, keys: undefined }, conditions: [] };
  });

/** Returns records by stream and key: their numbers mean nothing outside of a store. */
async function nameRecords({ search }: Side, records: ArrayLike<number>): Promise<string[]> {
  const rows = await search.newest(everything(), [...Array.from(records)], 1_000);
  const names = new Map(rows.map(({ rid, stream_id, key }) => [rid, `${stream_id} ${key}`]));
  return Array.from(records, (rid) => names.get(rid) ?? 'gone');
}

/** Returns postings by record. */
async function readPostings(side: Side, parts: readonly MatchPart[], spelling: Spelling): Promise<string[]> {
  const roles = new Map(streams.map(({ streamId }) => [streamId, ROLES]));
  // Like a search: a word is counted first, and its postings may then come from a cache.
  await side.search.countMatching(parts, [[spelling]], 10);
  const found = await side.search.postings(parts, roles, spelling);
  const names = await nameRecords(side, found.records);
  return names
    .map((name, at) => {
      const positions = found.positions.slice(at === 0 ? 0 : found.ends[at - 1], found.ends[at]);
      return `${name}: ${found.title[at]} ${found.people[at]} ${found.body[at]} ${positions.join()}`;
    })
    .sort();
}

const withoutNumber = ({ rid: _, ...row }: MatchedRow) => row;

/** Returns reads of a search with their arguments, for messages. */
function drawSearches(draw: Draw): [string, (side: Side) => Promise<unknown>][] {
  const parts = drawParts(draw);
  const [terms, limit] = [drawTerms(draw), draw.pick([1, 2, 5, 100])];
  const spelling = draw.chance(80)
    ? { word: draw.pick(WORDS), isPrefix: draw.chance(40) }
    : drawSpelling(draw);
  const name = write([
    parts.map(({ scope, conditions }) => [
      scope.fieldNames,
      scope.since,
      scope.until,
      [...(scope.keys ?? [])],
      scope.stream.timeField,
      conditions,
    ]),
    terms,
    limit,
    spelling,
  ]);
  // Each side gets its own array, because rows are cached by it.
  const own = () => [...parts];
  const request = {
    fields: new Map(streams.map(({ streamId }) => [streamId, ['label', 'body', 'tags']])),
    characters: draw.pick([3, 400]),
  };
  return [
    [`count ${name}`, ({ search }) => search.countMatching(own(), terms, limit)],
    [
      `matching ${name}`,
      async (side) => (await nameRecords(side, await side.search.matching(own(), terms, limit))).sort(),
    ],
    [
      `newest matching ${name}`,
      async (side) => nameRecords(side, await side.search.newestMatching(own(), terms, limit)),
    ],
    [`postings ${name}`, (side) => readPostings(side, own(), spelling)],
    [
      `newest ${name}`,
      async ({ search }) =>
        (await search.newest(own(), await search.matching(own(), terms, 100), limit)).map(withoutNumber),
    ],
    [
      `texts ${name}`,
      async ({ search }) => {
        const rows = await search.newest(own(), await search.matching(own(), terms, 100), 100);
        const found: unknown[] = [];
        const open = parts.map(({ scope }) => ({ scope, conditions: [] }));
        for await (const { row, record } of search.texts(open, rows, request))
          found.push([withoutNumber(row), record]);
        return found;
      },
    ],
  ];
}

async function checkSearches(draw: Draw): Promise<void> {
  const sides = await openMirror();
  try {
    for (const side of sides) await addStreams(side);
    for (let at = 0; at < 4; at++) {
      const stream = draw.pick(streams);
      const changes = drawChanges(draw, stream);
      for (const side of sides) await side.batches.write(stream.streamId, changes);
      if (draw.chance(20))
        for (const side of sides) await side.transact(() => side.batches.reindex(stream.streamId, index));
    }
    for (let at = 0; at < 8; at++)
      for (const [name, run] of drawSearches(draw)) {
        const [sqlite, postgres] = [await run(sides[0]), await run(sides[1])];
        expect(write(postgres), name).toBe(write(sqlite));
      }
    const words = await Promise.all(
      sides.map(async ({ stored }) => (await stored.words(0, 1_000)).words.sort()),
    );
    expect(words[1]).toEqual(words[0]);
    for (const beginning of ['', 'l', 'zeil', '\u{1f600}', 'zz'])
      expect(await sides[1].search.wordsWithPrefix(beginning)).toEqual(
        await sides[0].search.wordsWithPrefix(beginning),
      );
  } finally {
    for (const side of sides) side.close();
  }
}

describe('searches on PostgreSQL', () => {
  it('equal those on SQLite for any records, grant and terms', async () => {
    await checkDrawn(
      { runs: Number(process.env.MIRROR_RUNS ?? 15), seed: Number(process.env.MIRROR_SEED ?? 1) },
      checkSearches,
    );
  }, 240_000);

  it('find a word of a record only while the record has it', async () => {
    const sides = await openMirror();
    const [stream] = streams;
    if (stream === undefined) return;
    const names = [...stream.fields.keys()];
    const parts = [
      {
        scope: {
          stream,
          fields: new Set(names),
          fieldNames: names,
          since: undefined,
          until: undefined,
          keys: undefined,
        },
        conditions: [],
      },
    ];
    const put = (label: string, emittedAt: number) => ({
      op: 'put' as const,
      key: 'a',
      emittedAt,
      data: JSON.stringify({ label }),
      t: 0,
      ...index({ label }),
    });
    for (const side of sides) {
      await addStreams(side);
      const count = (word: string) => side.search.countMatching([...parts], matchWord(word), 10);
      await side.batches.write(stream.streamId, [put('one two', 1), put('two three', 2)]);
      expect([await count('one'), await count('two'), await count('three')]).toEqual([0, 1, 1]);
      await side.batches.write(stream.streamId, [put('three four', 3)]);
      expect([await count('two'), await count('three'), await count('four')]).toEqual([0, 1, 1]);
      await side.batches.write(stream.streamId, [{ op: 'delete', key: 'a', emittedAt: 4 }]);
      expect([await count('three'), await count('four')]).toEqual([0, 0]);
      await side.batches.write(stream.streamId, [put('four', 5)]);
      expect(await count('four')).toBe(1);
      side.close();
    }
  });
});
