import { listGrants } from '../../grants/grant-store.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import type { AuditStore } from '../../store/audit-store.ts';
import type { Store } from '../../store/store.ts';
import { writeCsvLine } from '../../text/csv.ts';
import { tools } from '../../tools/index.ts';
import { nameConnection } from '../describe-access.ts';
import { nameApps } from '../name-apps.ts';
import {
  type ActivityFilter,
  type ActivityScope,
  type Before,
  parseActivityFilter,
  parseBefore,
  toScope,
  writeBefore,
} from './activity-filter.ts';
import { type ActivityPlot, readActivityPlot } from './activity-plot.ts';
import { describeRead } from './describe-read.ts';
import { describeEvent, type EventLine, type ReadLine, toEventLine, toReadLine } from './entries.ts';
import { type ActivityRow, foldRepeats, MAX_ENTRIES } from './latest-reads.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface ActivityView {
  readonly time_zone: string;
  readonly filter: ActivityFilter;
  readonly choices: {
    readonly apps: readonly Choice[];
    readonly tools: readonly Choice[];
    readonly connections: readonly Choice[];
  };
  readonly plot: ActivityPlot;
  readonly rows: readonly ActivityRow[];
  readonly has_more: boolean;
  /** Reads up to here are no longer listed, only counted by day, app and tool; null while all are listed. */
  readonly counted_until: string | null;
  /** The value of `before` that shows the next rows. */
  readonly next_before: string | null;
}

export type ActivityQuery = Readonly<Record<string, string | undefined>>;

/** About three screens of a phone. */
const MAX_LINES = 15;

/** Lists reads and events, newest first. Contains no record data. */
export async function viewActivity(store: Store, query: ActivityQuery, now: Date): Promise<ActivityView> {
  const filter = parseActivityFilter(query);
  const catalog = await loadCatalog(store.read);
  const grants = await listGrants(store.read);
  const scope = toScope(filter, catalog.timeZone);
  const read = (limit: number) => readRows(store.audit, scope, parseBefore(query.before), limit);
  const { rows: lines } = await read(MAX_ENTRIES);
  const described = lines.map((row) =>
    row.type === 'read' ? describeRead(row, catalog) : describeEvent(row, catalog),
  );
  const rows = foldRepeats<ActivityRow>(described, MAX_LINES);
  // Read again, because the next page starts after the last row that is shown.
  const { next } = await read(rows.length);
  return {
    time_zone: catalog.timeZone,
    filter,
    choices: {
      apps: [
        ...nameApps(grants, catalog.timeZone)
          .map(({ grant_id, client }) => ({ value: grant_id, label: client }))
          .reverse(),
        { value: 'owner', label: 'You' },
      ],
      tools: [
        ...tools.map(({ name }) => ({ value: name, label: name })),
        { value: 'events', label: 'Events only' },
      ],
      connections: catalog.connections.map(({ connection_id }) => ({
        value: connection_id,
        label: nameConnection(catalog, connection_id),
      })),
    },
    plot: await readActivityPlot(store.audit, scope, catalog.timeZone, now),
    rows,
    has_more: next !== undefined,
    counted_until: (await store.audit.findCountedUntil()) ?? null,
    next_before: next === undefined ? null : writeBefore(next),
  };
}

/**
 * Merges reads and events by time. Both are read in the order of their ids, which the index supports.
 */
export async function readRows(
  audit: AuditStore,
  scope: ActivityScope,
  before: Before,
  limit: number,
): Promise<{ rows: (ReadLine | EventLine)[]; next: Before | undefined }> {
  const page = { order: 'newest', limit: limit + 1 } as const;
  const reads = scope.reads ? await audit.listReads(scope.reads, { ...page, beforeId: before.read }) : [];
  const events = scope.events
    ? await audit.listEvents(scope.events, { ...page, beforeId: before.event })
    : [];
  const rows: (ReadLine | EventLine)[] = [];
  let [atRead, atEvent] = [0, 0];
  while (rows.length < limit) {
    const [read, event] = [reads[atRead], events[atEvent]];
    if (read !== undefined && (event === undefined || read.at > event.at)) {
      rows.push(toReadLine(read));
      atRead += 1;
    } else if (event !== undefined) {
      rows.push(toEventLine(event));
      atEvent += 1;
    } else break;
  }
  const isEnd = atRead === reads.length && atEvent === events.length;
  const next = {
    read: reads[atRead - 1]?.id ?? before.read,
    event: events[atEvent - 1]?.id ?? before.event,
  };
  return { rows, next: isEnd ? undefined : next };
}

const MAX_CSV_PAGE_ROWS = 1_000;

/** Columns of reads and events. A row fills those of its type. */
const columns = [
  ...['at', 'type', 'client', 'grant_id', 'surface', 'tool', 'connections', 'streams', 'fields'],
  ...['records', 'tokens_out', 'ms', 'outcome', 'request_id', 'kind', 'detail', 'times'],
  ...['touched', 'way'],
];

/** Streams all rows of the page as CSV (RFC 4180). */
export function writeActivityCsv(store: Store, query: ActivityQuery): AsyncGenerator<string> {
  return writePieces(store, parseActivityFilter(query), parseBefore(query.before));
}

async function* writePieces(store: Store, filter: ActivityFilter, start: Before): AsyncGenerator<string> {
  const { timeZone } = await loadCatalog(store.read);
  yield writeCsvLine(columns);
  const scope = toScope(filter, timeZone);
  let before: Before | undefined = start;
  while (before !== undefined) {
    const page: Awaited<ReturnType<typeof readRows>> = await readRows(
      store.audit,
      scope,
      before,
      MAX_CSV_PAGE_ROWS,
    );
    const rows = page.rows as unknown as Record<string, unknown>[];
    yield rows.map((row) => writeCsvLine(columns.map((name) => row[name]))).join('');
    before = page.next;
  }
}
