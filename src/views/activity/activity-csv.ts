import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';
import { writeCsvLine } from '../../text/csv.ts';
import { type ActivityQuery, readRows } from './activity.ts';
import {
  type ActivityFilter,
  type Before,
  parseActivityFilter,
  parseBefore,
  toScope,
} from './activity-filter.ts';

const PAGE = 1_000;

/** A row fills the columns of its type, read or event; the others stay empty. */
const columns = [
  ...['at', 'type', 'client', 'grant_id', 'surface', 'tool', 'connections', 'streams', 'fields'],
  ...['records', 'tokens_out', 'ms', 'outcome', 'request_id', 'kind', 'detail', 'times'],
  ...['touched', 'way'],
];

/** The rows of the page, all of them, as CSV (RFC 4180) in pieces: however many there are, few are held. */
export function writeActivityCsv(store: Store, query: ActivityQuery): AsyncGenerator<string> {
  return writePieces(store, parseActivityFilter(query), parseBefore(query.before));
}

async function* writePieces(store: Store, filter: ActivityFilter, start: Before): AsyncGenerator<string> {
  const { timeZone } = await loadCatalog(store.read);
  yield writeCsvLine(columns);
  const scope = toScope(filter, timeZone);
  let before: Before | undefined = start;
  while (before !== undefined) {
    const page: Awaited<ReturnType<typeof readRows>> = await readRows(store.audit, scope, before, PAGE);
    const rows = page.rows as unknown as Record<string, unknown>[];
    yield rows.map((row) => writeCsvLine(columns.map((name) => row[name]))).join('');
    before = page.next;
  }
}
