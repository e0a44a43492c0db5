import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Connection } from '../schema-index/catalog.ts';
import { getField } from '../schema-index/find-field.ts';
import { cutText } from '../text/cut-text.ts';
import { escapeText } from '../text/escape-text.ts';
import { argument, CALL, CONNECTOR_KEY, type Hint, hint, toolCall } from '../text/hint.ts';
import { fewNames, suggest } from '../text/suggest.ts';

const MAX_CONNECTIONS = 10;
const MAX_TITLE_CHARACTERS = 60;

/** How a call names connections: one id, several, a connector key for all its connections, or `*`. */
export type ConnectionNames = string | readonly string[] | undefined;

/** Returns the stream that a call names. It must be in one connection. */
export function resolveStream(
  reader: GrantedReader,
  stream: string,
  connections: ConnectionNames,
): GrantedStream {
  const [only, ...more] = resolveStreams(reader, stream, connections);
  if (only !== undefined && more.length === 0) return only;
  throw ambiguous([only, ...more] as GrantedStream[], 'Name one of these connections.');
}

/** Returns the stream that a call names, in one or several connections of one connector. They are read as one. */
export function resolveStreams(
  reader: GrantedReader,
  stream: string,
  connections: ConnectionNames,
): GrantedStream[] {
  const named = streamsNamed(reader, stream);
  if (connections === undefined) {
    if (named.length > 1)
      throw ambiguous(
        named,
        hint`Repeat the call with ${argument('connection_id')}: one of these, a list of them, or a ${CONNECTOR_KEY} for all of its connections.`,
      );
    return named;
  }
  const meant = selectConnections(named, connections);
  if (new Set(meant.map((one) => one.connection.connector_key)).size > 1)
    throw ambiguous(
      meant,
      hint`These belong to different connectors: name connections of one, or its ${CONNECTOR_KEY}.`,
    );
  return meant;
}

/** Returns the streams in the named connections, in the order of the grant. */
export function selectConnections(
  streams: readonly GrantedStream[],
  connections: ConnectionNames,
): GrantedStream[] {
  if (connections === undefined) return [...streams];
  const wanted = new Set<GrantedStream>();
  for (const name of [connections].flat()) {
    const found = name === '*' ? streams : findConnections(streams, name);
    if (found.length === 0)
      throw unknownConnection(
        name,
        streams.map((one) => one.connection),
      );
    for (const one of found) wanted.add(one);
  }
  return streams.filter((one) => wanted.has(one));
}

/** Finds connections by id, otherwise by connector key: a connection may have the name of a connector. */
function findConnections(streams: readonly GrantedStream[], name: string): GrantedStream[] {
  const found = streams.filter((one) => one.connection.connection_id === name);
  return found.length > 0 ? found : streams.filter((one) => one.connection.connector_key === name);
}

/** Returns every granted stream with that name. */
export function streamsNamed(reader: GrantedReader, stream: string): GrantedStream[] {
  const named = reader.streams.filter((one) => one.name === stream);
  if (named.length > 0) return named;
  const names = [...new Set(reader.streams.map((one) => one.name))];
  const nearest = suggest(stream, names);
  throw new AppError('unknown_stream', 'There is no stream of that name.', {
    hint:
      nearest === undefined
        ? hint`${CALL} ${toolCall('schema')} to see every stream.`
        : `Did you mean ${nearest}?`,
    available: fewNames(names),
    total: names.length,
  });
}

function unknownConnection(name: string, connections: readonly Connection[]): AppError {
  const nearest = suggest(
    name,
    connections.flatMap((one) => [one.connection_id, one.connector_key]),
  );
  return new AppError('unknown_connection', 'There is no such connection.', {
    hint: nearest === undefined ? 'Use one of the available connections.' : `Did you mean ${nearest}?`,
    ...listConnections(connections),
  });
}

function ambiguous(streams: readonly GrantedStream[], hint: Hint): AppError {
  return new AppError('ambiguous_connection', 'The stream exists in several connections.', {
    hint,
    ...listConnections(streams.map((stream) => stream.connection)),
  });
}

/** Lists connections from the grant alone, without reading records. */
function listConnections(connections: readonly Connection[]) {
  const distinct = [...new Map(connections.map((one) => [one.connection_id, one])).values()];
  return {
    available_connections: distinct
      .slice(0, MAX_CONNECTIONS)
      .map(({ connection_id, connector_key, display_name }) => ({
        connection_id,
        connector_key,
        display_name: cutText(escapeText(display_name), MAX_TITLE_CHARACTERS),
      })),
    total: distinct.length,
    truncated: distinct.length > MAX_CONNECTIONS,
  };
}

/** Refuses unknown names in `fields`. If they were ignored, a misspelt field would silently be missing. */
export function checkFields(fields: readonly string[] | undefined, streams: readonly GrantedStream[]): void {
  if (fields?.length === 0)
    throw new AppError('invalid_argument', 'fields is empty.', { hint: 'Leave it out to read all fields.' });
  for (const stream of streams) for (const name of fields ?? []) getField(stream.fields, name, 'fields');
}
