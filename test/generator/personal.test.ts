import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { personalShares, personalSources } from '../../bench/generator/personal.ts';
import type { GeneratedBatch, GeneratedLine, GeneratedSource } from '../../bench/generator/types.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import {
  type Relationship,
  type StreamDeclaration,
  sourceDeclarationShape,
} from '../../src/schema-index/declaration.ts';

const shareOfAll = Object.values(personalShares).reduce((sum, share) => sum + share, 0);
const getKey = (source: GeneratedSource) => source.declaration.connector_key as string;

/** About `records` records over all personal sources. */
function generateAll(
  records: number,
  seed: number,
  until = DEMO_END,
): Map<GeneratedSource, GeneratedBatch[]> {
  return new Map(
    personalSources.map((source) => {
      const own = Math.round((records * (personalShares[getKey(source)] as number)) / shareOfAll);
      return [source, [...source.generate({ records: own, seed, until })]];
    }),
  );
}

/** Lines by connection and stream, in the order they were made. */
function collectLines(batches: GeneratedBatch[]): Map<string, GeneratedLine[]> {
  const lines = new Map<string, GeneratedLine[]>();
  for (const batch of batches) {
    const name = `${batch.connection_id} ${batch.stream}`;
    lines.set(name, [...(lines.get(name) ?? []), ...batch.lines]);
  }
  return lines;
}

function findStream(source: GeneratedSource, name: string): StreamDeclaration {
  return source.declaration.streams.find((stream) => stream.name === name) as StreamDeclaration;
}

function createCheck(schema: Record<string, unknown>): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const keyword of ['x-pdpp-sensitive', 'x-pdpp-unit']) ajv.addKeyword(keyword);
  for (const format of ['date-time', 'date']) ajv.addFormat(format, () => true);
  return ajv.compile({ ...schema, additionalProperties: false });
}

/** Streams that a real export fills and the invented life does not have. */
const notInvented: Record<string, string[]> = {
  gmail: ['attachments'],
  spotify: ['library', 'playlist_tracks', 'playlists', 'searches'],
  bank: ['balances', 'holdings', 'securities', 'trades'],
  chatgpt: ['attachments', 'shared_links'],
  slack: ['attachments'],
  github: ['commits', 'events', 'gists', 'people', 'releases', 'stars'],
  apple_health: ['activity_summaries', 'correlations', 'other_records', 'profile', 'workouts'],
};

const large = generateAll(20_000, 1);

describe.each(personalSources.map((source) => [getKey(source), source] as const))(
  'demo source %s',
  (_, source) => {
    const batches = large.get(source) as GeneratedBatch[];
    const lines = collectLines(batches);

    it('has a declaration in the shape of the protocol that fits together', () => {
      expect(sourceDeclarationShape.parse(source.declaration)).toEqual(source.declaration);
      expect(checkDeclaration(source.declaration).connector_key).toBe(getKey(source));
    });

    it('fills every stream of every connection, in batches of at most a thousand', () => {
      const left = notInvented[getKey(source)] ?? [];
      const declared = source.declaration.streams.map((stream) => stream.name);
      expect(declared).toEqual(expect.arrayContaining(left));
      const streams = declared.filter((name) => !left.includes(name));
      const expected = source.connections.flatMap((connection) =>
        streams.map((name) => `${connection.connection_id} ${name}`),
      );
      expect([...lines.keys()].sort()).toEqual(expected.sort());
      expect(Math.max(...batches.map((batch) => batch.lines.length))).toBeLessThanOrEqual(1_000);
    });

    it('makes records that fit their schema', () => {
      for (const stream of source.declaration.streams) {
        const check = createCheck(stream.schema);
        const wrong = batches
          .filter((batch) => batch.stream === stream.name)
          .flatMap((batch) => batch.lines)
          .find((line) => !check(line.data));
        expect(wrong && [wrong, check.errors]).toBeUndefined();
      }
    });

    it('gives every record a key of its own that agrees with its primary key', () => {
      for (const [name, all] of lines) {
        const { primary_key } = findStream(source, name.split(' ')[1] as string);
        const keys = all.map(({ data }) => {
          const values = primary_key.map((field) => data[field]);
          return values.length === 1 ? values[0] : JSON.stringify(values);
        });
        expect(all.map((line) => line.key)).toEqual(keys);
        expect(new Set(keys).size).toBe(keys.length);
      }
    });

    it('points only to records that exist', () => {
      for (const { connection_id } of source.connections) {
        for (const stream of source.declaration.streams) {
          for (const relation of stream.relationships ?? []) {
            expect(findDangling(lines, connection_id, stream.name, relation)).toEqual([]);
          }
        }
      }
    });

    it('comes in the order of time, within the time it tells of', () => {
      for (const [name, all] of lines) {
        const { cursor_field } = findStream(source, name.split(' ')[1] as string);
        if (!cursor_field) continue;
        const times = all.map((line) => Date.parse(String(line.data[cursor_field])));
        expect(times.every((time, index) => index === 0 || time >= (times[index - 1] as number))).toBe(true);
        expect(times.at(-1)).toBeLessThan(Date.UTC(2026, 10, 1));
        expect(all.every((line, index) => Date.parse(line.emitted_at) >= (times[index] as number))).toBe(
          true,
        );
      }
    });
  },
);

/** Values of the foreign key for which the other side has no record. */
function findDangling(
  lines: Map<string, GeneratedLine[]>,
  connection: string,
  stream: string,
  { stream: other, foreign_key, cardinality }: Relationship,
): unknown[] {
  const [from, to] = cardinality === 'has_many' ? [other, stream] : [stream, other];
  const keys = new Set<unknown>(lines.get(`${connection} ${to}`)?.map((line) => line.key));
  const values = (lines.get(`${connection} ${from}`) ?? []).map((line) => line.data[foreign_key]);
  return values.filter((value) => value !== null && !keys.has(value));
}

describe('personal demo data', () => {
  const dump = (records: number, seed: number) => JSON.stringify([...generateAll(records, seed).values()]);
  const everything = JSON.stringify([...large.values()]);
  const linesOf = (name: string) => collectLines([...large.values()].flat()).get(name) ?? [];

  it.each([2_000, 20_000])('has about as many records as asked for: %i', (records) => {
    const batches = [...generateAll(records, 1).values()].flat();
    const count = batches.reduce((sum, batch) => sum + batch.lines.length, 0);
    expect(Math.abs(count - records) / records).toBeLessThan(0.03);
  });

  it('is the same for the same seed and another for another seed', () => {
    expect(dump(2_000, 7)).toBe(dump(2_000, 7));
    expect(dump(2_000, 7)).not.toBe(dump(2_000, 8));
  });

  it('makes something of very few records', () => {
    for (const records of [0, 1, 5, 20]) {
      for (const source of personalSources) {
        const count = [...source.generate({ records, seed: 1, until: DEMO_END })].flatMap(
          (batch) => batch.lines,
        ).length;
        expect(count).toBeLessThanOrEqual(records + 6);
      }
    }
  });

  it('tells of the same journey in mail, calendar, bank and chat', () => {
    const mentions = [...large].filter(([, batches]) => JSON.stringify(batches).includes('Kyoto'));
    const keys = mentions.map(([source]) => getKey(source));
    expect(keys).toEqual(expect.arrayContaining(['gmail', 'google_calendar', 'bank', 'chatgpt']));
  });

  it('spends in a month about what a month earns', () => {
    const months = new Map<string, { out: number; in: number }>();
    for (const { data } of linesOf('bank_checking transactions')) {
      const month = String(data.date).slice(0, 7);
      const sums = months.get(month) ?? { out: 0, in: 0 };
      const amount = Number(data.amount);
      sums[amount < 0 ? 'out' : 'in'] += Math.abs(amount);
      months.set(month, sums);
    }
    // The first and the last are not whole.
    const whole = [...months.values()].slice(1, -1);
    expect(whole.length).toBeGreaterThan(24);
    for (const { out, in: earned } of whole) expect(out / earned).toBeLessThan(2);
    const share = whole.reduce((sum, month) => sum + month.out / month.in, 0) / whole.length;
    expect([share > 0.8, share < 1.2]).toEqual([true, true]);
  });

  it('has a calendar in which things happen when and where they do', () => {
    const events = linesOf('google_calendar events').map(({ data }) => data);
    const hoursOf = (title: RegExp) =>
      events
        .filter((event) => title.test(String(event.title)))
        .map((event) => String(event.starts_at).slice(11, 16));
    const share = (hours: string[], hour: string) =>
      hours.filter((one) => one === hour).length / hours.length;
    expect(hoursOf(/^Standup/).length).toBeGreaterThan(20);
    expect(share(hoursOf(/^Standup/), '08:00')).toBeGreaterThan(0.9);
    expect(share(hoursOf(/^Retrospective/), '14:00')).toBeGreaterThan(0.9);
    for (const hour of hoursOf(/^(Dinner|Concert) with/)) expect(hour >= '18:00').toBe(true);
    // What is said of an appointment belongs to it.
    const said = events.filter(
      ({ title, description }) =>
        /^(Dinner|Call|Dentist|Birthday)/.test(String(title)) && description !== null,
    );
    expect(said).toEqual([]);
    const dentists = events.filter(({ title }) => /^Dentist/.test(String(title)));
    expect(new Set(dentists.map(({ location }) => location)).size).toBe(1);
  });

  it('holds one mail of about a megabyte and several long ones', () => {
    const gmail = personalSources.find((source) => getKey(source) === 'gmail') as GeneratedSource;
    const mails = (large.get(gmail) as GeneratedBatch[]).filter((batch) => batch.stream === 'messages');
    const lengths = mails.flatMap((batch) => batch.lines.map((line) => String(line.data.body).length));
    expect(lengths.filter((length) => length > 900_000)).toHaveLength(1);
    expect(lengths.filter((length) => length > 18_000 && length < 70_000).length).toBeGreaterThan(2);
  });

  it('holds text that careless code trips over', () => {
    const traps = [
      '\\u0000',
      '\u202E',
      '<script>',
      'DROP TABLE',
      '__proto__',
      '{{7*7}}',
      '\\u001b[31m',
      '9007199254740993',
    ];
    expect(traps.filter((trap) => !everything.includes(trap))).toEqual([]);
  });

  it('has several thousand words, common and rare, in several scripts', () => {
    const counts = new Map<string, number>();
    for (const [word] of everything.matchAll(/\p{L}+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
    expect(counts.size).toBeGreaterThan(5_000);
    expect([...counts.values()].filter((count) => count === 1).length).toBeGreaterThan(500);
    for (const script of [
      /\p{Script=Han}/u,
      /\p{Script=Hiragana}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Thai}/u,
    ]) {
      expect(everything).toMatch(script);
    }
  });
});
