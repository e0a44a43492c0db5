import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Connection } from '../schema-index/catalog.ts';
import { escapeText } from '../text/escape-text.ts';
import { fewNames, findNearest } from '../text/nearest-name.ts';
import { cutText } from './projector.ts';

const MOST_CONNECTIONS = 10;
const MOST_TITLE = 60;

/** The one stream that is meant. */
export function resolveStream(
  reader: GrantedReader,
  stream: string,
  connectionId: string | undefined,
): GrantedStream {
  const [only, ...more] = resolveStreams(reader, stream, connectionId);
  if (only !== undefined && more.length === 0) return only;
  throw ambiguous([only, ...more] as GrantedStream[], 'Name one of these connections.');
}

/** The stream that is meant, or with `*` the stream in every connection of its connector. */
export function resolveStreams(
  reader: GrantedReader,
  stream: string,
  connectionId: string | undefined,
): GrantedStream[] {
  const named = streamsNamed(reader, stream);
  if (connectionId === undefined) {
    if (named.length > 1)
      throw ambiguous(named, 'Repeat the call with one connection_id, or call schema(stream).');
    return named;
  }
  if (connectionId === '*') {
    if (new Set(named.map((one) => one.connection.connector_key)).size > 1) {
      throw ambiguous(named, 'These are of different connectors: name one connection_id.');
    }
    return named;
  }
  const found = named.filter((one) => one.connection.connection_id === connectionId);
  if (found.length > 0) return found;
  throw unknownConnection(named.map((one) => one.connection));
}

/** Every granted stream of that name. */
export function streamsNamed(reader: GrantedReader, stream: string): GrantedStream[] {
  const named = reader.streams.filter((one) => one.name === stream);
  if (named.length > 0) return named;
  const names = [...new Set(reader.streams.map((one) => one.name))];
  const nearest = findNearest(stream, names);
  throw new AppError('unknown_stream', 'There is no stream of that name.', {
    hint: nearest === undefined ? 'Call schema to see every stream.' : `Did you mean ${nearest}?`,
    available: fewNames(names),
    total: names.length,
  });
}

/** Streams of a granted connection. */
export function streamsOfConnection(reader: GrantedReader, connectionId: string): GrantedStream[] {
  const found = reader.streams.filter((one) => one.connection.connection_id === connectionId);
  if (found.length > 0) return found;
  throw unknownConnection(reader.streams.map((one) => one.connection));
}

function unknownConnection(connections: readonly Connection[]): AppError {
  return new AppError('unknown_connection', 'There is no such connection.', {
    hint: 'Use one of the available connections.',
    ...listConnections(connections),
  });
}

function ambiguous(streams: readonly GrantedStream[], hint: string): AppError {
  return new AppError('ambiguous_connection', 'The stream exists in several connections.', {
    hint,
    ...listConnections(streams.map((stream) => stream.connection)),
  });
}

/** Made from the grant alone: nothing is asked of the connections themselves. */
function listConnections(connections: readonly Connection[]) {
  const distinct = [...new Map(connections.map((one) => [one.connection_id, one])).values()];
  return {
    available_connections: distinct
      .slice(0, MOST_CONNECTIONS)
      .map(({ connection_id, connector_key, display_name }) => ({
        connection_id,
        connector_key,
        display_name: cutText(escapeText(display_name), MOST_TITLE),
      })),
    total: distinct.length,
    truncated: distinct.length > MOST_CONNECTIONS,
  };
}
