import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { buildDemo } from '../../scripts/demo/build-demo.ts';
import { DEMO_CONNECTIONS } from '../../src/demo/demo-connections.ts';
import { demoDeclarations } from '../../src/demo/fill-demo.ts';
import { type DemoRecord, readDemo, readDemoLines } from '../../src/demo/read-demo.ts';
import type {
  Relationship,
  SourceDeclaration,
  StreamDeclaration,
} from '../../src/schema-index/declaration.ts';

const ZONE = 'Europe/Berlin';
const DAY_MS = 86_400_000;
const demo = readDemo(DEMO_END, ZONE);
const of = (stream: string, connections?: readonly string[], records: readonly DemoRecord[] = demo) =>
  records.filter(
    (one) => one.stream === stream && (connections === undefined || connections.includes(one.connection_id)),
  );
const MAILBOXES = ['gmail_nora', 'gmail_household'];

/** Each stream of each connection, with its declaration. */
const streams = DEMO_CONNECTIONS.flatMap(({ connection_id, connector_key }) => {
  const source = demoDeclarations.find((one) => one.connector_key === connector_key) as SourceDeclaration;
  return source.streams.map((stream) => ({ connection_id, stream }));
});

const ENDS: readonly (readonly [string, string, string])[] = [
  ['a Saturday evening', DEMO_END.toISOString(), ZONE],
  ['a Monday morning', '2026-11-16T06:30:00Z', ZONE],
  ['the last day of a month', '2027-01-31T15:00:00Z', 'America/Los_Angeles'],
  ['a leap day', '2028-02-29T22:00:00Z', 'Asia/Tokyo'],
];

describe('the data set of the demo', () => {
  it('is the output of npm run demo:write', () => {
    expect(readDemoLines()).toEqual(buildDemo());
  });

  it('has a few thousand records, and two sources with two connections each', () => {
    expect(demo.length).toBeGreaterThan(3_000);
    expect(demo.length).toBeLessThan(6_000);
    const keys = DEMO_CONNECTIONS.map(({ connector_key }) => connector_key);
    const twice = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
    expect(twice).toEqual(new Set(['bank', 'gmail']));
    for (const { connection_id } of DEMO_CONNECTIONS)
      expect(demo.some((one) => one.connection_id === connection_id)).toBe(true);
  });

  it.each(ENDS)('matches its schemas, keys and relations at the end of %s', (_, until, zone) => {
    const records = readDemo(new Date(until), zone);
    const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { 'date-time': true, date: true } });
    for (const { connection_id, stream } of streams) {
      const own = of(stream.name, [connection_id], records);
      const check = ajv.compile(stream.schema);
      expect(own.filter(({ data }) => !check(data)).map(({ data }) => [data, check.errors])).toEqual([]);
      expect(new Set(own.map(({ data }) => keyOf(stream, data))).size).toBe(own.length);
      for (const relation of stream.relationships ?? [])
        expect([stream.name, findDangling(records, connection_id, stream, relation)]).toEqual([
          stream.name,
          [],
        ]);
    }
  });

  it.each(ENDS)('ends at the end of %s except for future appointments', (_, until, zone) => {
    const end = Date.parse(until);
    const records = readDemo(new Date(until), zone);
    const late = streams.flatMap(({ connection_id, stream }) =>
      of(stream.name, [connection_id], records)
        .filter(({ data }) => isLater(data[stream.consent_time_field ?? ''], end, zone))
        .map(() => `${connection_id}/${stream.name}`),
    );
    expect(new Set(late)).toEqual(new Set(['calendar_nora/events']));
    // Somebody slept last night, and appointments are entered weeks before.
    const nights = of('samples', undefined, records).filter(({ data }) => data.type === 'sleep');
    expect(Math.max(...nights.map(({ data }) => Date.parse(String(data.ended_at))))).toBeGreaterThan(
      end - 2 * DAY_MS,
    );
    expect(late.length).toBeGreaterThan(5);
  });

  it('keeps appointments on their weekday and rent on the first, for any end', () => {
    for (const [, until, zone] of ENDS) {
      const records = readDemo(new Date(until), zone);
      const bouldering = of('events', undefined, records).filter(
        ({ data }) => data.title === 'Bouldering with Léa',
      );
      const days = bouldering.map(({ data }) =>
        new Date(`${String(data.starts_at).slice(0, 10)}T00:00:00Z`).getUTCDay(),
      );
      expect(new Set(days)).toEqual(new Set([2]));
      const rents = of('transactions', undefined, records).filter(
        ({ data }) => data.category === 'housing' && String(data.description).startsWith('Rent'),
      );
      expect(new Set(rents.map(({ data }) => String(data.date).slice(8)))).toEqual(new Set(['01']));
      expect(new Set(rents.map(({ data }) => String(data.date).slice(0, 7))).size).toBe(rents.length);
    }
  });
});

describe('the life in the demo', () => {
  const texts = demo
    .flatMap(({ data }) => Object.values(data).flat())
    .filter((value) => typeof value === 'string');

  it('contains no placeholder text', () => {
    const strange = texts.filter(
      (text) =>
        /<[a-z/!]|\p{Cc}(?<!\n)|[\u200b-\u200f\u202a-\u202e\u2066-\u2069]|\p{M}{2}|\S{60}/iu.test(text) ||
        /\p{L}/u.test(text.replace(/[\p{Script=Latin}\p{M}]/gu, '')),
    );
    expect(strange).toEqual([]);
  });

  it('names no season, because its dates move with its end', () => {
    const seasons =
      /\b(christmas|easter|halloween|new year's|summer|winter(?! <)|autumn|spring|snow\w*|weihnacht\w*|ostern|sommer(?!\b)|navidad|verano|invierno)\b/i;
    // A bakery and a doctor have names of their own.
    const free = texts.filter((text) => !/Bäckerei Sommer|Dr\. Winter|dr-winter|Wintermusik/.test(text));
    expect(free.filter((text) => seasons.test(text))).toEqual([]);
  });

  it('is written in English first, with German and Spanish as the family speaks them', () => {
    const counts = new Map<unknown, number>();
    for (const { data } of of('messages', MAILBOXES))
      counts.set(data.language, (counts.get(data.language) ?? 0) + 1);
    const [en, de, es] = ['en', 'de', 'es'].map((language) => counts.get(language) ?? 0) as [
      number,
      number,
      number,
    ];
    expect(counts.size).toBe(3);
    expect(en).toBeGreaterThan(2 * (de + es));
    expect([de > 15, es > 3]).toEqual([true, true]);
  });

  it('has a payment for every order confirmation at about the same date', () => {
    const payments = of('transactions').map(({ data }) => data);
    const orders = of('messages', MAILBOXES).filter(({ data }) => {
      const labels = data.labels as string[];
      // Work pays for one journey, and a repair is announced before it is paid.
      return (
        data.in_reply_to === undefined &&
        (labels.includes('Orders') || labels.includes('Travel')) &&
        !/invoiced to Halden|takes a little longer|repair order/i.test(`${data.subject} ${data.body}`)
      );
    });
    expect(orders.length).toBeGreaterThan(20);
    const unpaid = orders.filter(({ data }) => {
      const amounts = [...String(data.body).matchAll(/(\d+)[.,](\d\d) EUR/g)].map(([, euro, cent]) =>
        Number(`${euro}.${cent}`),
      );
      const sent = Date.parse(String(data.sent_at));
      return !payments.some(
        (payment) =>
          amounts.includes(-(payment.amount as number)) &&
          Math.abs(Date.parse(String(payment.date)) - sent) < 10 * DAY_MS,
      );
    });
    expect(unpaid.map(({ data }) => data.subject)).toEqual([]);
  });

  it('has climbing and running records that match calendar and music', () => {
    const day = (value: unknown) =>
      new Date(Date.parse(String(value)) + 2 * 3_600_000).toISOString().slice(0, 10);
    const evenings = of('events')
      .filter(
        ({ data, at }) =>
          data.title === 'Bouldering with Léa' && data.status === 'confirmed' && at < DEMO_END.getTime(),
      )
      .map(({ data }) => String(data.starts_at).slice(0, 10))
      .filter((date) => date < '2026-11');
    const workouts = of('workouts');
    const climbs = workouts
      .filter(({ data }) => data.name === 'Climbing')
      .map(({ data }) => day(data.started_at));
    expect(climbs).toEqual(evenings.sort());
    const tracks = of('plays').filter(({ data }) => data.playlist === 'Running');
    for (const { data } of workouts.filter((one) => one.data.name === 'Running'))
      expect(tracks.some((track) => track.data.played_at === data.started_at)).toBe(true);
  });

  it('has chats in which people answer each other', () => {
    const chats = of('chats');
    expect(chats.length).toBeGreaterThan(8);
    for (const { data } of chats) expect((data.participants as string[]).length).toBeGreaterThan(1);
    const turns = of('messages', ['chatgpt_nora']);
    const asked = turns.filter(({ data }) => data.role === 'user').length;
    expect(turns.filter(({ data }) => data.role === 'assistant').length).toBe(asked);
  });

  it('spends about what it earns in a year', () => {
    const external = of('transactions').filter(
      ({ data }) => !/^(Household share Nora|Monthly savings)$/.test(String(data.description)),
    );
    const total = (sign: 1 | -1) =>
      external.reduce(
        (sum, { data }) =>
          sum + (Math.sign(data.amount as number) === sign ? Math.abs(data.amount as number) : 0),
        0,
      );
    const share = total(-1) / total(1);
    expect([share > 0.65, share < 1]).toEqual([true, true]);
  });
});

/** A day is later than the day of the end by the owner's clock. */
function isLater(time: unknown, end: number, timeZone: string): boolean {
  if (typeof time !== 'string') return false;
  if (time.length > 10) return Date.parse(time) > end;
  return time > new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(end);
}

function keyOf(stream: StreamDeclaration, data: Record<string, unknown>): string {
  return JSON.stringify(stream.primary_key.map((field) => data[field]));
}

/** Values of the foreign key for which the other side has no record. */
function findDangling(
  records: readonly DemoRecord[],
  connection: string,
  stream: StreamDeclaration,
  { stream: other, foreign_key, cardinality }: Relationship,
): unknown[] {
  const [from, to] = cardinality === 'has_many' ? [other, stream.name] : [stream.name, other];
  const keys = new Set(of(to, [connection], records).map(({ data }) => data.id));
  return of(from, [connection], records)
    .map(({ data }) => data[foreign_key])
    .filter((value) => value !== undefined && value !== null && !keys.has(value));
}
