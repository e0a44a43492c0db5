import { type Catalog, findStream } from '../../schema-index/catalog.ts';
import { nameConnection, nameStream } from '../describe-access.ts';
import type { ReadLine } from './entries.ts';

/** Why a read got no answer: refused, an invalid request, or a failure. */
export interface Problem {
  readonly kind: 'refused' | 'mistake' | 'failed';
  readonly text: string;
}

/** A read, described for the owner. */
export interface DescribedRead extends ReadLine {
  /** What the app did, without its name: `added up 4,955 Nordbank transactions by category`. */
  readonly did: string;
  readonly problem: Problem | null;
  /** Whether it repeats the row before it and is shown with that. */
  readonly again: boolean;
}

const MAX_NAMES = 3;

/** The `way` of an audit entry for a list from which a person picks a resource by title. */
export const TITLES_TO_PICK = 'titles to pick from';

const measured: Readonly<Record<string, string>> = {
  count: 'counted',
  count_distinct: 'counted distinct values in',
  sum: 'added up',
  avg: 'averaged',
  min: 'found the minimum of',
  max: 'found the maximum of',
};

/** Describes what was done and how many records it covered, in the names that pages use. */
export function describeRead(row: ReadLine, catalog: Catalog): DescribedRead {
  const problem = describeProblem(row.outcome);
  return {
    ...row,
    did: problem === null ? describeAnswer(row, catalog) : describeAttempt(row),
    problem,
    again: false,
  };
}

function describeAnswer(row: ReadLine, catalog: Catalog): string {
  const touched = row.touched ?? row.records;
  const what = nameData(row, catalog, touched);
  switch (row.tool) {
    case 'schema':
      return row.streams.length === 1 ? `viewed the fields of ${what}` : 'listed the available data';
    case 'aggregate': {
      const [metric = 'count', by] = (row.way ?? '').split(' by ');
      const verb = measured[metric] ?? 'counted';
      const how = by === undefined ? '' : ` by ${by}`;
      return row.touched === null ? `${verb} ${what}${how}` : `${verb} ${countData(touched, what)}${how}`;
    }
    case 'search':
      return `searched ${nameConnections(row, catalog)} and ${row.records === 0 ? 'found nothing' : `found ${countRecords(row.records)}`}`;
    case 'fetch':
      return `opened ${row.records === 1 ? 'one record' : countRecords(row.records)} of ${what}`;
    default:
      if (row.way === TITLES_TO_PICK) return `listed ${formatCount(row.records)} ${TITLES_TO_PICK}`;
      if (row.records === 0 && touched === 0) return `found no ${what}`;
      return touched > row.records
        ? `read ${formatCount(row.records)} of ${countData(touched, what)}`
        : `read ${countData(row.records, what)}`;
  }
}

const attempts: Readonly<Record<string, string>> = {
  schema: 'tried to list the available data',
  aggregate: 'tried to aggregate records',
  search: 'tried to search',
  fetch: 'tried to open a record',
};

/** Apps get the same answer for missing and ungranted items, so the description names both cases. */
const asked: Readonly<Record<string, string>> = {
  unknown_stream: 'something',
  unknown_connection: 'a connection',
  unknown_field: 'a field',
  not_found: 'a record',
};

function describeAttempt({ tool, outcome }: ReadLine): string {
  const what = asked[outcome];
  if (what !== undefined) return `asked for ${what} that does not exist or that it cannot read`;
  return attempts[tool] ?? 'tried to read';
}

/** Names the data of a read: `Nordbank transactions`. Of many names, a few are listed. */
function nameData(row: ReadLine, catalog: Catalog, many: number): string {
  const [connection] = row.connections;
  const [stream] = row.streams;
  if (connection === undefined || stream === undefined) return many === 1 ? 'record' : 'records';
  const labels = [...new Set(row.streams)].map((name) =>
    nameStream(findStream(catalog, connection, name), name).toLowerCase(),
  );
  const place = nameConnections(row, catalog);
  // `Calendar events` of the connection `Calendar` need no second Calendar before them.
  const isNamed = labels.length === 1 && labels[0]?.startsWith(`${place.toLowerCase()} `) === true;
  return isNamed ? `${place}${labels[0]?.slice(place.length)}` : `${place} ${shorten(labels)}`;
}

/** Adds a count to a name: `4,955 Nordbank transactions`, but `5 records of Spotify listening history`. */
function countData(count: number, what: string): string {
  const isCounted = count === 1 || /s$/i.test(what);
  return `${formatCount(count)} ${isCounted ? what : `records of ${what}`}`;
}

function nameConnections({ connections }: ReadLine, catalog: Catalog): string {
  if (connections.length === 0) return 'all data it can read';
  return shorten(connections.map((id) => nameConnection(catalog, id)));
}

function shorten(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const countRecords = (count: number) => `${formatCount(count)} ${count === 1 ? 'record' : 'records'}`;

const formatCount = (count: number) => count.toLocaleString('en');

const refused: Readonly<Record<string, string>> = {
  unauthorized: 'The token is not valid.',
  grant_revoked: 'Access has ended.',
  owner_token_refused: 'The app used one of your owner tokens.',
  unknown_stream: 'No stream with that name is shared with this app.',
  unknown_connection: 'No connection with that name is shared with this app.',
  unknown_field: 'No field with that name is shared with this app.',
  not_found: 'No such record is shared with this app.',
};

const failed: Readonly<Record<string, string>> = {
  too_many_requests: 'Too many requests.',
  busy: 'The server was busy.',
  cancelled: 'The app cancelled the request.',
  internal: 'Internal error. See the server log.',
  disk_full: 'The disk is full.',
  store_unusable: 'The data folder cannot be used.',
};

/** Returns null for an answer. An outcome that is not listed here is a malformed call. */
function describeProblem(outcome: string): Problem | null {
  if (outcome === 'ok') return null;
  const refusal = refused[outcome];
  if (refusal !== undefined) return { kind: 'refused', text: refusal };
  const failure = failed[outcome];
  if (failure !== undefined) return { kind: 'failed', text: failure };
  return { kind: 'mistake', text: 'The app sent an invalid request.' };
}
