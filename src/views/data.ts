import type { GrantedStream } from '../reader/granted-stream.ts';
import { escapeText } from '../text/escape-text.ts';
import { toLocal } from '../time/instant.ts';
import { shiftMonth } from '../time/month.ts';
import type { ToolContext } from '../tools/granted-read.ts';
import type { ShownPage } from './page-read.ts';
import { countMonths } from './reading/month-counts.ts';
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
  /** Records per month, one number for each of `months`. */
  readonly per_month: readonly number[];
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
  /** The months that are plotted, oldest first: up to five years, ending with the newest record. */
  readonly months: readonly string[];
  readonly connections: readonly ConnectionData[];
}

const MOST_MONTHS = 60;

interface Counted {
  readonly stream: GrantedStream;
  readonly records: number;
  readonly span: { first: number; last: number } | undefined;
  readonly months: ReadonlyMap<string, number>;
}

/** Everything there is to see, connection by connection: how much, from when to when. Never a record. */
export const dataPage: ShownPage<StreamNames, DataIndex> = {
  name: 'schema',
  async read(names, context) {
    const counted: Counted[] = [];
    for (const stream of context.reader.streams) counted.push(await countStream(stream, context));
    const { timeZone } = context.reader;
    const months = listMonths(counted, toLocal(context.now.getTime(), timeZone));
    const connections = new Map(
      counted.map(({ stream }) => [stream.connection.connection_id, stream.connection]),
    );
    const view = {
      time_zone: timeZone,
      months,
      connections: [...connections.values()].map((connection) => {
        const own = counted.filter((one) => one.stream.connection.connection_id === connection.connection_id);
        return {
          connection_id: connection.connection_id,
          name: escapeText(connection.display_name),
          connector_key: connection.connector_key,
          records: own.reduce((sum, one) => sum + one.records, 0),
          streams: own
            .filter(({ records }) => records > 0)
            .map((one) => describeStream(one, months, timeZone, names)),
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

/** Records of the future (planned events, wrong clocks) do not push the present out of the plot. */
function listMonths(counted: readonly Counted[], now: number): string[] {
  const present = counted.flatMap(({ months }) => [...months.keys()]).sort();
  const thisMonth = new Date(now).toISOString().slice(0, 7);
  const newest = present.findLast((month) => month <= thisMonth) ?? present[0];
  const [oldest] = present;
  if (newest === undefined || oldest === undefined) return [];
  const months = [newest];
  while (months.length < MOST_MONTHS && (months[0] as string) > oldest)
    months.unshift(shiftMonth(months[0] as string, -1));
  // One old record must not leave most of the plot empty.
  return months.slice(months.findIndex((month) => present.includes(month)));
}

function describeStream(
  { stream, records, span, months }: Counted,
  shown: readonly string[],
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
    per_month: shown.map((month) => months.get(month) ?? 0),
  };
}
