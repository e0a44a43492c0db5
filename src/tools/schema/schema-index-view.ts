import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { escapeText } from '../../text/escape-text.ts';
import { formatInstant, toLocal } from '../../time/instant.ts';
import { Budget, firstFitting, fits } from '../envelope.ts';

/** Above this many streams their counts could not be shown anyway, so they are not counted. */
const MAX_COUNTED = 250;
const MAX_IDS = 300;

interface StreamLine {
  readonly name: string;
  readonly records?: number;
  readonly first?: string;
  readonly last?: string;
}

/** The index of everything granted: every stream name always, counts and spans while they fit. */
export async function viewIndex(
  streams: readonly GrantedStream[],
  context: ReadContext,
  budget: Budget,
): Promise<object> {
  const lines = new Map<GrantedStream, StreamLine>();
  for (const stream of streams) {
    lines.set(
      stream,
      streams.length > MAX_COUNTED ? { name: stream.name } : await describeStream(stream, context),
    );
  }
  const line = (stream: GrantedStream) => lines.get(stream) as StreamLine;
  const named = firstFitting<object>(
    [
      () => ({ connectors: byConnection(streams, line) }),
      () => ({
        connectors: byConnection(streams, (stream) => {
          const { name, records } = line(stream);
          return records === undefined ? { name } : { name, records };
        }),
      }),
      () => ({ connectors: bySameStreams(streams, (names) => names, true) }),
      () => ({ connectors: bySameStreams(streams, (names) => names.join(' '), false) }),
    ],
    budget,
  );
  // Bare names cost about a quarter less than the estimator, made for prose and records, says.
  const left = budget.left;
  const forNames = new Budget(Math.floor(left.tokens * 1.25), left.bytes);
  return fits(named, forNames) ? named : cutIndex(streams, budget);
}

async function describeStream(stream: GrantedStream, context: ReadContext): Promise<StreamLine> {
  const records = await context.reader.count(stream);
  const span = records === 0 ? undefined : await context.reader.span(stream);
  const zone = stream.timeField?.kind === 'date' ? 'UTC' : context.reader.timeZone;
  const day = (instant: number) => formatInstant(toLocal(instant, zone)).slice(0, 10);
  return {
    name: stream.name,
    records,
    ...(span === undefined ? {} : { first: day(span.first), last: day(span.last) }),
  };
}

/** Streams without records have nothing to tell but their names. */
function listStreams(streams: readonly GrantedStream[], show: Show) {
  const lines = streams.map(show);
  const empty = lines.filter(({ records }) => records === 0).map(({ name }) => name);
  return {
    streams: lines.filter(({ records }) => records !== 0),
    ...(empty.length === 0 ? {} : { empty_streams: empty }),
  };
}

type Show = (stream: GrantedStream) => StreamLine;

function byConnection(streams: readonly GrantedStream[], show: Show) {
  return groupBy(streams, (stream) => stream.connection.connector_key).map(
    ([connector_key, ofConnector]) => ({
      connector_key,
      connections: groupBy(ofConnector, (stream) => stream.connection.connection_id).map(
        ([connection_id, ofConnection]) => ({
          connection_id,
          display_name: escapeText((ofConnection[0] as GrantedStream).connection.display_name),
          ...listStreams(ofConnection, show),
        }),
      ),
    }),
  );
}

/** Connections with the same streams share one list of names. */
function bySameStreams<T>(streams: readonly GrantedStream[], show: (names: string[]) => T, titles: boolean) {
  const connections = groupBy(streams, (stream) => stream.connection.connection_id).map(
    ([connection_id, own]) => ({
      connection_id,
      connection: (own[0] as GrantedStream).connection,
      names: own.map((stream) => stream.name),
    }),
  );
  return groupBy(connections, ({ names }) => JSON.stringify(names)).map(([, alike]) => ({
    connections: alike.map(({ connection_id, connection }) =>
      titles
        ? {
            connection_id,
            connector_key: connection.connector_key,
            display_name: escapeText(connection.display_name),
          }
        : connection_id,
    ),
    streams: show((alike[0] as (typeof alike)[0]).names),
  }));
}

/** More names than any answer holds: as many connections as fit with theirs, the others by id alone. */
function cutIndex(streams: readonly GrantedStream[], budget: Budget) {
  const all = bySameStreams(streams, (names) => names.join(' '), false);
  const ids = all.flatMap((entry) => entry.connections as string[]);
  const room = new Budget(budget.left.tokens - 80, budget.left.bytes - 320);
  const namesRoom = ids.every((id) => room.take(id));
  const connectors = namesRoom ? all.filter((entry) => room.take(entry)) : [];
  const shown = new Set(connectors.flatMap((entry) => entry.connections as string[]));
  return {
    connectors,
    truncated: true,
    more_connections: ids.filter((id) => !shown.has(id)).slice(0, MAX_IDS),
    connections_total: ids.length,
    streams_total: streams.length,
    hint: 'Ask for one of more_connections with schema(connection_id), or for one stream with schema(stream).',
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups];
}
