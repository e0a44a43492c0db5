import type { ReadLine } from '../../audit/audit-rows.ts';
import { type Catalog, findStream } from '../../schema-index/catalog.ts';
import { nameConnection, nameStream } from '../describe-access.ts';
import { type Problem, tellProblem } from './tell-problem.ts';

/** A read as its owner would say it. */
export interface ToldRead extends ReadLine {
  /** What the app did, without its name: `added up 4,955 Nordbank transactions by category`. */
  readonly did: string;
  readonly problem: Problem | null;
  /** Whether it is the same as the row before it and is told with that. */
  readonly again: boolean;
}

const MOST_NAMES = 3;

/** What the audit calls a list that a client asks for by itself, so that somebody can pick from it. */
export const PICKING = 'titles to pick from';

const measured: Readonly<Record<string, string>> = {
  count: 'counted',
  count_distinct: 'counted what differs in',
  sum: 'added up',
  avg: 'took the average of',
  min: 'looked for the least of',
  max: 'looked for the most of',
};

/** Says what was done and how much of the data it went over, in the names that the pages use. */
export function tellRead(row: ReadLine, catalog: Catalog): ToldRead {
  const problem = tellProblem(row.outcome);
  return {
    ...row,
    did: problem === null ? tellAnswer(row, catalog) : tellAttempt(row),
    problem,
    again: false,
  };
}

function tellAnswer(row: ReadLine, catalog: Catalog): string {
  const touched = row.touched ?? row.records;
  const what = nameWhat(row, catalog, touched);
  switch (row.tool) {
    case 'schema':
      return row.streams.length === 1 ? `looked at what ${what} hold` : 'looked at what there is';
    case 'aggregate': {
      const [metric = 'count', by] = (row.way ?? '').split(' by ');
      const verb = measured[metric] ?? 'counted';
      const how = by === undefined ? '' : ` by ${by}`;
      return row.touched === null ? `${verb} ${what}${how}` : `${verb} ${countWhat(touched, what)}${how}`;
    }
    case 'search':
      return `searched ${namePlaces(row, catalog)} and ${row.records === 0 ? 'found nothing' : `was shown ${countRecords(row.records)}`}`;
    case 'fetch':
      return `opened ${row.records === 1 ? 'one record' : countRecords(row.records)} of ${what}`;
    default:
      if (row.way === PICKING) return `listed ${formatCount(row.records)} ${PICKING}`;
      if (row.records === 0 && touched === 0) return `read none of the ${what}`;
      return touched > row.records
        ? `read ${formatCount(row.records)} of ${countWhat(touched, what)}`
        : `read ${countWhat(row.records, what)}`;
  }
}

const attempts: Readonly<Record<string, string>> = {
  schema: 'tried to look at what there is',
  aggregate: 'tried to count or add up',
  search: 'tried to search',
  fetch: 'tried to open a record',
};

/** What there is not and what is not for the app get the same answer, so the owner is told both. */
const asked: Readonly<Record<string, string>> = {
  unknown_stream: 'something',
  unknown_connection: 'a connection',
  unknown_field: 'a field',
  not_found: 'a record',
};

function tellAttempt({ tool, outcome }: ReadLine): string {
  const what = asked[outcome];
  if (what !== undefined) return `asked for ${what} that it may not read, or that is not there`;
  return attempts[tool] ?? 'tried to read';
}

/** `Nordbank transactions`; where there are several, the names of a few. */
function nameWhat(row: ReadLine, catalog: Catalog, many: number): string {
  const [connection] = row.connections;
  const [stream] = row.streams;
  if (connection === undefined || stream === undefined) return many === 1 ? 'record' : 'records';
  const labels = [...new Set(row.streams)].map((name) =>
    nameStream(findStream(catalog, connection, name), name).toLowerCase(),
  );
  const place = namePlaces(row, catalog);
  // `Calendar events` of the connection `Calendar` need no second Calendar before them.
  const isNamed = labels.length === 1 && labels[0]?.startsWith(`${place.toLowerCase()} `) === true;
  return isNamed ? `${place}${labels[0]?.slice(place.length)}` : `${place} ${shorten(labels)}`;
}

/** `4,955 Nordbank transactions`, but `5 records of Spotify listening history`, of which there are not five. */
function countWhat(count: number, what: string): string {
  const isCounted = count === 1 || /s$/i.test(what);
  return `${formatCount(count)} ${isCounted ? what : `records of ${what}`}`;
}

function namePlaces({ connections }: ReadLine, catalog: Catalog): string {
  if (connections.length === 0) return 'everything it may read';
  return shorten(connections.map((id) => nameConnection(catalog, id)));
}

function shorten(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const countRecords = (count: number) => `${formatCount(count)} ${count === 1 ? 'record' : 'records'}`;

const formatCount = (count: number) => count.toLocaleString('en');
