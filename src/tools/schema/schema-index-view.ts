import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { fromValue } from '../../store/field-value.ts';
import { escapeText } from '../../text/escape-text.ts';
import { Budget, firstFitting } from '../envelope.ts';

/** The counts of more streams would not fit, so they are not read. */
const MAX_COUNTED_STREAMS = 250;
const MAX_CONNECTION_IDS = 300;

interface StreamLine {
  readonly name: string;
  readonly records?: number | undefined;
  readonly first?: string;
  readonly last?: string;
}

/** Lists every granted stream, with counts and time spans as far as they fit. */
export async function viewIndex(
  streams: readonly GrantedStream[],
  { reader }: ReadContext,
  budget: Budget,
): Promise<object> {
  const isCounted = streams.length <= MAX_COUNTED_STREAMS;
  const lines = new Map<GrantedStream, StreamLine>();
  for (const stream of streams)
    lines.set(stream, { name: stream.name, ...(isCounted ? await readExtent(stream, reader) : {}) });
  const line = (stream: GrantedStream) => lines.get(stream) as StreamLine;
  const brief = (stream: GrantedStream) => ({ name: stream.name, records: line(stream).records });
  const index = firstFitting<object>(
    [
      () => ({ connectors: byConnection(streams, line) }),
      () => ({ connectors: byConnection(streams, brief) }),
      () => ({ connectors: bySameStreams(streams, (names) => names, true) }),
      () => ({ connectors: bySameStreams(streams, (names) => names.join(' '), false) }),
    ],
    budget,
  );
  // The estimator is made for prose: bare names cost about a quarter less.
  const { tokens, bytes } = budget.left;
  return new Budget(Math.floor(tokens * 1.25), bytes).fits(index) ? index : cutIndex(streams, budget);
}

/** Reads the number of visible records, and the days of the first and last one. */
export async function readExtent(stream: GrantedStream, reader: GrantedReader) {
  const records = await reader.count(stream);
  const span = records === 0 ? undefined : await reader.span(stream);
  if (span === undefined) return { records };
  const kind = stream.timeField?.kind ?? 'date-time';
  const dayOf = (time: number) => String(fromValue(kind, time, reader.timeZone)).slice(0, 10);
  return { records, first: dayOf(span.first), last: dayOf(span.last) };
}

function byConnection(streams: readonly GrantedStream[], show: (stream: GrantedStream) => StreamLine) {
  return groupBy(streams, (stream) => stream.connection.connector_key).map((ofConnector) => ({
    connector_key: ofConnector[0].connection.connector_key,
    connections: groupBy(ofConnector, (stream) => stream.connection.connection_id).map((own) => {
      const { connection_id, display_name } = own[0].connection;
      const lines = own.map(show);
      const empty = lines.filter(({ records }) => records === 0).map(({ name }) => name);
      return {
        connection_id,
        display_name: escapeText(display_name),
        streams: lines.filter(({ records }) => records !== 0),
        empty_streams: empty.length === 0 ? undefined : empty,
      };
    }),
  }));
}

/** Lists stream names once for all connections that have the same streams. */
function bySameStreams<T>(
  streams: readonly GrantedStream[],
  show: (names: string[]) => T,
  withNames: boolean,
) {
  const namesOf = (own: readonly GrantedStream[]) => own.map((stream) => stream.name);
  const connections = groupBy(streams, (stream) => stream.connection.connection_id);
  return groupBy(connections, (own) => JSON.stringify(namesOf(own))).map((alike) => ({
    connections: alike.map(([{ connection }]) => {
      const { connection_id, connector_key, display_name } = connection;
      if (!withNames) return connection_id;
      return { connection_id, connector_key, display_name: escapeText(display_name) };
    }),
    streams: show(namesOf(alike[0])),
  }));
}

/** Lists as many connections as fit with their streams, and the others by id. */
function cutIndex(streams: readonly GrantedStream[], { left }: Budget) {
  const all = bySameStreams(streams, (names) => names.join(' '), false);
  const ids = all.flatMap((entry) => entry.connections as string[]);
  const budget = new Budget(left.tokens - 80, left.bytes - 320);
  const connectors = ids.every((id) => budget.take(id)) ? all.filter((entry) => budget.take(entry)) : [];
  const shown = new Set(connectors.flatMap((entry) => entry.connections as string[]));
  return {
    connectors,
    truncated: true,
    more_connections: ids.filter((id) => !shown.has(id)).slice(0, MAX_CONNECTION_IDS),
    connections_total: ids.length,
    streams_total: streams.length,
    hint: 'For the other connections, call schema(connection_id) with one of more_connections. For one stream, call schema(stream).',
  };
}

type NonEmpty<T> = [T, ...T[]];

/** Groups items by a key, in order of first occurrence. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): NonEmpty<T>[] {
  const groups = new Map<string, NonEmpty<T>>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
