import { type Kysely, type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchTerms } from '../../../../words/match-terms.ts';
import type { Scope } from '../../../scope.ts';
import type { MatchedRow, MatchPart } from '../../../search-reads.ts';
import { compareText, NO_TIME } from '../../../values.ts';
import { minuteOf, minuteOfRid, minuteStart } from '../../rid.ts';
import type { Tables } from '../../tables.ts';
import { visibleColumns } from '../scope-sql.ts';
import { joinFacets, whereAnyPart, writeExpression } from './match-sql.ts';

/**
 * Returns up to `limit` visible records that match in granted columns: the newest by a granted time, then those without
 * one; ties by part, then by key. The ranking of the index is not used, because it counts hidden records.
 */
export async function readMatches(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  limit: number,
): Promise<MatchedRow[]> {
  const compare = compareRows(parts);
  const found: MatchedRow[] = [];
  let timed = 0;
  for (const group of groupOrders(parts)) {
    // Records with a visible time come first; with enough of them the other groups are not needed.
    if (group.order !== 'time' && timed >= limit) break;
    const rows =
      group.order === 'key'
        ? await readByKey(db, group, terms, limit)
        : await scanBack(db, group, terms, limit, compare);
    if (group.order === 'time') timed += rows.filter((row) => row.t !== NO_TIME).length;
    found.push(...rows);
  }
  return found.sort(compare).slice(0, limit);
}

/** Streams with the same granted text columns, which share one scan of the index. */
export interface ColumnGroup {
  /** The text columns to search; all if undefined. */
  readonly columns: readonly number[] | undefined;
  readonly parts: MatchPart[];
}

interface PartGroup extends ColumnGroup {
  /** By a visible time; by row id for streams without a time; by key if the time is hidden. */
  readonly order: 'time' | 'rid' | 'key';
}

/** Caches the groups, because every word of a search needs the same ones. */
const grouped = new WeakMap<readonly MatchPart[], readonly ColumnGroup[]>();

/** Groups streams by their granted text columns. */
export function groupColumns(parts: readonly MatchPart[]): readonly ColumnGroup[] {
  const known = grouped.get(parts) ?? makeGroups(parts);
  grouped.set(parts, known);
  return known;
}

function makeGroups(parts: readonly MatchPart[]): ColumnGroup[] {
  const groups = new Map<string, ColumnGroup>();
  for (const part of parts) {
    const { scope } = part;
    const visible = visibleColumns(scope);
    if (visible.length === 0) continue;
    // If every text column is granted, no column needs to be named.
    const columns = visible.length === Object.keys(scope.stream.plan.texts).length ? undefined : visible;
    const group = groups.get(String(columns));
    if (group === undefined) groups.set(String(columns), { columns, parts: [part] });
    else group.parts.push(part);
  }
  return [...groups.values()];
}

/** Groups streams by columns and order, those with a visible time first. */
function groupOrders(parts: readonly MatchPart[]): PartGroup[] {
  return (['time', 'rid', 'key'] as const).flatMap((order) =>
    groupColumns(parts).flatMap(({ columns, parts: all }) => {
      const some = all.filter(({ scope }) => orderOf(scope) === order);
      return some.length === 0 ? [] : [{ columns, order, parts: some }];
    }),
  );
}

export function orderOf({ stream, fields }: Scope): PartGroup['order'] {
  if (stream.timeField === undefined) return 'rid';
  return fields.has(stream.timeField.name) ? 'time' : 'key';
}

export type Compare = (a: MatchedRow, b: MatchedRow) => number;

export function compareRows(parts: readonly MatchPart[]): Compare {
  const streams = new Map(
    parts.map(({ scope }, at) => [scope.stream.streamId, { at, isTimed: orderOf(scope) === 'time' }]),
  );
  const partOf = (row: MatchedRow) => streams.get(row.stream_id)?.at ?? 0;
  const timeOf = (row: MatchedRow) => (streams.get(row.stream_id)?.isTimed === true ? row.t : NO_TIME);
  return (a, b) => timeOf(b) - timeOf(a) || partOf(a) - partOf(b) || compareText(a.key, b.key);
}

async function readByKey(
  db: Kysely<Tables>,
  group: PartGroup,
  terms: MatchTerms,
  limit: number,
): Promise<MatchedRow[]> {
  // Sorts streams as in the request: stream ids would reveal the order of creation.
  const positions = group.parts.map(({ scope }, at) => sql`when ${scope.stream.streamId} then ${at}`);
  const order = sql`order by case r.stream_id ${sql.join(positions, sql` `)} end, r.key limit ${limit}`;
  return readMatchRows(db, group, terms, order);
}

/** The maximum number of rows that a step grows to. */
const MAX_STEP_ROWS = 4_096;

/**
 * Scans the index backwards by the minutes in row ids, whole minutes at a time. If a minute is full, a
 * record gets a later one, never an earlier one. So unread records are older than the scanned minutes.
 */
async function scanBack(
  db: Kysely<Tables>,
  group: PartGroup,
  terms: MatchTerms,
  limit: number,
  compare: Compare,
): Promise<MatchedRow[]> {
  let best: MatchedRow[] = [];
  const timeless: MatchedRow[] = [];
  /** Reads rows with `from` <= row id < `below`, the highest first. Returns the row id that was reached. */
  const read = async (below: number, from: number, maxRows: number): Promise<number> => {
    // Large numbers are bound as floats, and the index ignores bounds that are floats.
    const range = sql`and x.rowid < cast(${below} as integer) and x.rowid >= cast(${from} as integer)`;
    const rows = await readMatchRows(db, group, terms, sql`order by x.rowid desc limit ${maxRows}`, range);
    for (const row of rows) {
      if (row.t !== NO_TIME) best.push(row);
      else if (canAdd(timeless, limit, row)) timeless.push(row);
    }
    best = best.sort(compare).slice(0, limit);
    await yieldToEventLoop();
    return rows.length < maxRows ? from : (rows.at(-1) as MatchedRow).rid;
  };
  let reached = Number.MAX_SAFE_INTEGER;
  for (let step = limit; reached > 0; step = Math.min(MAX_STEP_ROWS, step * 2)) {
    reached = await read(reached, 0, step);
    const minute = minuteOfRid(reached);
    const start = minuteStart(minute);
    while (reached > start) reached = await read(reached, start, MAX_STEP_ROWS);
    const last = best[limit - 1];
    if (last !== undefined && minuteOf(last.t, last.key) >= minute) break;
    if (group.order === 'rid' && timeless.length >= limit) break;
  }
  return [...best, ...timeless];
}

/**
 * Returns whether a record without a time is needed. Row ids within a minute are in the order of writing, so the last
 * minute is completed.
 */
function canAdd(found: readonly MatchedRow[], limit: number, { rid }: { rid: number }): boolean {
  const last = found[limit - 1];
  return last === undefined || minuteOfRid(last.rid) === minuteOfRid(rid);
}

async function readMatchRows(
  db: Kysely<Tables>,
  group: PartGroup,
  terms: MatchTerms,
  order: RawBuilder<unknown>,
  range: RawBuilder<unknown> = sql``,
): Promise<MatchedRow[]> {
  const { rows } = await sql<MatchedRow>`
    select r.rid as rid, r.stream_id as stream_id, r.key as key, r.t as t, octet_length(r.data) as size
    from texts x join records r on r.rid = x.rowid
      ${joinFacets(group.parts)}
    where x.texts match ${writeExpression(terms, group.columns)}
      and ${whereAnyPart(group.parts, 'x.rowid')} ${range}
    ${order}`.execute(db);
  return rows;
}
