import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { disclose, type GrantedRead } from '../reads/granted-read.ts';
import { escapeText } from '../text/escape-text.ts';
import { toLocal } from '../time/instant.ts';
import {
  choosePeriods,
  countIn,
  countMonths,
  findPeriod,
  type Period,
  type Periods,
} from './reading/periods.ts';

export interface StreamSummary {
  readonly stream: string;
  readonly label: string;
  readonly detail: string | null;
  readonly records: number;
  /** Days of the owner's calendar; null if no time is visible. */
  readonly first: string | null;
  readonly last: string | null;
  /** The time field; null if none is visible. */
  readonly time_field: string | null;
}

export interface StreamData extends StreamSummary {
  /** Records per period, one number for each of `periods`. */
  readonly per_period: readonly number[];
}

export interface ConnectionSummary<Stream extends StreamSummary = StreamSummary> {
  readonly connection_id: string;
  readonly name: string;
  readonly connector_key: string;
  readonly records: number;
  /** Streams with records. A declaration has more streams than most exports fill. */
  readonly streams: readonly Stream[];
  readonly empty: readonly { readonly stream: string; readonly label: string }[];
}

export type ConnectionData = ConnectionSummary<StreamData>;

export interface DataIndex {
  readonly time_zone: string;
  readonly interval: Periods['interval'];
  /** The periods of the chart, oldest first. They cover every record with a time. */
  readonly periods: readonly Period[];
  /** The requested period; null for all time. A year is charted by month. */
  readonly period: (Period & { readonly previous: string | null; readonly next: string | null }) | null;
  readonly connections: readonly ConnectionData[];
}

export interface DataInput {
  /** The name of a period of the chart, such as a month or year. */
  readonly period?: string | undefined;
}

interface Counted {
  readonly stream: GrantedStream;
  readonly records: number;
  readonly span: { first: number; last: number } | undefined;
}

/** Counts the visible records of each connection and stream. Returns no record. */
export const dataPage: GrantedRead<DataInput, DataIndex> = {
  name: 'schema',
  inWorker: 'data_page',
  async run({ period }, { reader, now }) {
    const { timeZone } = reader;
    const counted = await countStreams(reader.streams, reader);
    const months = new Map<GrantedStream, ReadonlyMap<string, number>>();
    for (const { stream, records } of counted)
      if (records > 0) months.set(stream, await countMonths(stream, reader));
    const thisMonth = new Date(toLocal(now.getTime(), timeZone)).toISOString().slice(0, 7);
    const chart = chooseChart(sumMonths(months.values()), thisMonth, period);
    const perPeriod = (stream: GrantedStream) =>
      chart.periods.map((one) => countIn(one, months.get(stream) ?? new Map()));
    const ids = new Set(counted.map(({ stream }) => stream.connection.connection_id));
    const connections = [...ids].map((id) =>
      describeConnection(
        counted.filter(({ stream }) => stream.connection.connection_id === id),
        (one) => ({ ...describeStream(one, timeZone), per_period: perPeriod(one.stream) }),
      ),
    );
    return {
      body: { time_zone: timeZone, ...chart, connections },
      tokens: 0,
      disclosure: disclose([], [], 0),
    };
  },
};

/** Counts the records of one connection. Returns no record. */
export const connectionPage: GrantedRead<{ readonly connectionId: string }, ConnectionSummary> = {
  name: 'schema',
  inWorker: 'connection_page',
  async run({ connectionId }, { reader }) {
    const own = reader.streams.filter(({ connection }) => connection.connection_id === connectionId);
    const describe = (one: Counted) => describeStream(one, reader.timeZone);
    const body = describeConnection(await countStreams(own, reader), describe);
    return { body, tokens: 0, disclosure: disclose([], [], 0) };
  },
};

async function countStreams(streams: readonly GrantedStream[], reader: GrantedReader): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const stream of streams) {
    const records = await reader.count(stream);
    counted.push({ stream, records, span: records === 0 ? undefined : await reader.span(stream) });
  }
  return counted;
}

function describeConnection<Stream extends StreamSummary>(
  own: readonly Counted[],
  describe: (counted: Counted) => Stream,
): ConnectionSummary<Stream> {
  const { connection_id, connector_key, display_name } = (own[0] as Counted).stream.connection;
  return {
    connection_id,
    name: escapeText(display_name),
    connector_key,
    records: own.reduce((sum, { records }) => sum + records, 0),
    streams: own.filter(({ records }) => records > 0).map(describe),
    empty: own
      .filter(({ records }) => records === 0)
      .map(({ stream: { name, label } }) => ({ stream: name, label: escapeText(label) })),
  };
}

function sumMonths(counts: Iterable<ReadonlyMap<string, number>>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const months of counts) for (const [month, n] of months) sums.set(month, (sums.get(month) ?? 0) + n);
  return sums;
}

/** Chooses the chart of the requested period. An unknown period means all time. */
function chooseChart(
  counts: ReadonlyMap<string, number>,
  thisMonth: string,
  asked: string | undefined,
): Pick<DataIndex, 'interval' | 'periods' | 'period'> {
  const all = choosePeriods(counts, thisMonth);
  const found = asked === undefined ? undefined : findPeriod(all, asked);
  if (found === undefined || countIn(found.period, counts) === 0) return { ...all, period: null };
  const { period, parts } = found;
  const neighbour = (direction: 1 | -1) => findNearestFilled(period, direction, counts);
  return {
    interval: 'month',
    periods: parts.length === 0 ? [period] : parts,
    period: { ...period, previous: neighbour(-1), next: neighbour(1) },
  };
}

/** Finds the nearest month or year with records in one direction. */
function findNearestFilled(
  start: Period,
  direction: 1 | -1,
  counts: ReadonlyMap<string, number>,
): string | null {
  const months = [...counts.keys()].sort();
  const beyond =
    direction === 1
      ? months.find((month) => start.to !== null && month >= start.to)
      : months.findLast((month) => start.from !== null && month < start.from);
  if (beyond === undefined || !/^\d/.test(start.name)) return null;
  return beyond.slice(0, start.name.length);
}

function describeStream({ stream, records, span }: Counted, timeZone: string): StreamSummary {
  const zone = stream.timeField?.kind === 'date' ? 'UTC' : timeZone;
  const day = (time: number) => new Date(toLocal(time, zone)).toISOString().slice(0, 10);
  return {
    stream: stream.name,
    label: escapeText(stream.label),
    detail: stream.detail === undefined ? null : escapeText(stream.detail),
    records,
    first: span === undefined ? null : day(span.first),
    last: span === undefined ? null : day(span.last),
    time_field: stream.timeField?.name ?? null,
  };
}
