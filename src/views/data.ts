import type { GrantedStream } from '../reader/granted-stream.ts';
import type { ToolContext } from '../reads/granted-read.ts';
import type { ShownPage } from '../reads/page-read.ts';
import { escapeText } from '../text/escape-text.ts';
import { toLocal } from '../time/instant.ts';
import { countMonths } from './reading/month-counts.ts';
import { choosePeriods, countIn, findPeriod, type Period, type Periods } from './reading/periods.ts';
import type { StreamNames } from './stream-names.ts';

export interface StreamData {
  readonly stream: string;
  readonly label: string;
  readonly detail: string | null;
  readonly records: number;
  /** Days of the owner's calendar; null where records have no time, or none that may be seen. */
  readonly first: string | null;
  readonly last: string | null;
  /** The field that says when; null where there is none, or none that may be seen. */
  readonly time_field: string | null;
  /** Records per period, one number for each of `periods`. */
  readonly per_period: readonly number[];
}

export interface ConnectionData {
  readonly connection_id: string;
  readonly name: string;
  readonly connector_key: string;
  readonly records: number;
  /** Those with records; a declaration has more than most exports fill. */
  readonly streams: readonly StreamData[];
  readonly empty: readonly { readonly stream: string; readonly label: string }[];
}

export interface DataIndex {
  readonly time_zone: string;
  readonly interval: Periods['interval'];
  /** The periods of the chart, oldest first. Together they hold every record that has a time. */
  readonly periods: readonly Period[];
  /** The period that was asked for; null where it was all time. Its chart is of its months, if it has several. */
  readonly period: (Period & { readonly previous: string | null; readonly next: string | null }) | null;
  readonly connections: readonly ConnectionData[];
}

export interface DataInput {
  readonly names: StreamNames;
  /** The name of a month or year, or of another period of the chart. */
  readonly period?: string | undefined;
}

interface Counted {
  readonly stream: GrantedStream;
  readonly records: number;
  readonly span: { first: number; last: number } | undefined;
  readonly months: ReadonlyMap<string, number>;
}

/** Everything there is to see, connection by connection: how much, from when to when. Never a record. */
export const dataPage: ShownPage<DataInput, DataIndex> = {
  name: 'schema',
  async read({ names, period }, context) {
    const counted: Counted[] = [];
    for (const stream of context.reader.streams) counted.push(await countStream(stream, context));
    const { timeZone } = context.reader;
    const thisMonth = new Date(toLocal(context.now.getTime(), timeZone)).toISOString().slice(0, 7);
    const chart = chooseChart(sumMonths(counted), thisMonth, period);
    const connections = new Map(
      counted.map(({ stream }) => [stream.connection.connection_id, stream.connection]),
    );
    const view = {
      time_zone: timeZone,
      ...chart,
      connections: [...connections.values()].map((connection) => {
        const own = counted.filter((one) => one.stream.connection.connection_id === connection.connection_id);
        return {
          connection_id: connection.connection_id,
          name: escapeText(connection.display_name),
          connector_key: connection.connector_key,
          records: own.reduce((sum, one) => sum + one.records, 0),
          streams: own
            .filter(({ records }) => records > 0)
            .map((one) => describeStream(one, chart.periods, timeZone, names)),
          empty: own
            .filter(({ records }) => records === 0)
            .map(({ stream: { name } }) => ({
              stream: name,
              label: names(connection.connection_id, name).label,
            })),
        };
      }),
    };
    return { view, disclosure: { connectionIds: [], streams: [], fields: [], records: 0 } };
  },
};

async function countStream(stream: GrantedStream, { reader }: ToolContext): Promise<Counted> {
  const records = await reader.count(stream);
  if (records === 0) return { stream, records, span: undefined, months: new Map() };
  const months = await countMonths(stream, reader);
  return {
    stream,
    records,
    span: await reader.span(stream),
    months,
  };
}

function sumMonths(counted: readonly Counted[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { months } of counted)
    for (const [month, n] of months) sums.set(month, (sums.get(month) ?? 0) + n);
  return sums;
}

/** The chart of all time, or of the period that was asked for. An unknown period is all time. */
function chooseChart(
  counts: ReadonlyMap<string, number>,
  thisMonth: string,
  asked: string | undefined,
): Pick<DataIndex, 'interval' | 'periods' | 'period'> {
  const all = choosePeriods(counts, thisMonth);
  const found = asked === undefined ? undefined : findPeriod(all, asked);
  if (found === undefined || countIn(found.period, counts) === 0) return { ...all, period: null };
  const { period, parts } = found;
  const beside = (steps: 1 | -1) => nearestFilled(period, steps, counts);
  return {
    interval: 'month',
    periods: parts.length === 0 ? [period] : parts,
    period: { ...period, previous: beside(-1), next: beside(1) },
  };
}

/** The next month or year in one direction that has records. */
function nearestFilled(start: Period, steps: 1 | -1, counts: ReadonlyMap<string, number>): string | null {
  const months = [...counts.keys()].sort();
  const beyond =
    steps === 1
      ? months.find((month) => start.to !== null && month >= start.to)
      : months.findLast((month) => start.from !== null && month < start.from);
  if (beyond === undefined || !/^\d/.test(start.name)) return null;
  return beyond.slice(0, start.name.length);
}

function describeStream(
  { stream, records, span, months }: Counted,
  periods: readonly Period[],
  timeZone: string,
  names: StreamNames,
): StreamData {
  const zone = stream.timeField?.kind === 'date' ? 'UTC' : timeZone;
  const day = (time: number) => new Date(toLocal(time, zone)).toISOString().slice(0, 10);
  const { label, detail } = names(stream.connection.connection_id, stream.name);
  return {
    stream: stream.name,
    label,
    detail,
    records,
    first: span === undefined ? null : day(span.first),
    last: span === undefined ? null : day(span.last),
    time_field: stream.timeField?.name ?? null,
    per_period: periods.map((period) => countIn(period, months)),
  };
}
