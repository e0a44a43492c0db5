import { type Kysely, type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchTerms } from '../../../../words/match-terms.ts';
import { isUnrestricted, type Scope, visibleColumns } from '../../../scope.ts';
import type { MatchedRow, MatchPart } from '../../../search-reads.ts';
import { compareText, NO_TIME } from '../../../values.ts';
import { writeExpression } from '../../match-expression.ts';
import { minuteOf, minuteOfRid, minuteStart, streamOfRid } from '../../rid.ts';
import type { Tables } from '../../tables.ts';
import { whereConditions } from '../conditions-sql.ts';
import { whereVisible } from '../visible-sql.ts';

/**
 * Visible records that match in granted columns, at most `limit`: the newest by a time that the reader may
 * see, after them those without one. Of equals, those of the earlier part, then by key. The index's own ranking
 * is never asked, since it counts hidden records.
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
    // Records with a visible time come first, and their groups too: with enough of them the rest has no chance.
    if (group.order !== 'time' && timed >= limit) break;
    const rows =
      group.order === 'key'
        ? await readByKey(db, group, terms, limit)
        : await walkBack(db, group, terms, limit, compare);
    if (group.order === 'time') timed += rows.filter((row) => row.t !== NO_TIME).length;
    found.push(...rows);
  }
  return found.sort(compare).slice(0, limit);
}

/** Streams whose visible text lies in the same columns, so that they can share one walk of the index. */
export interface ColumnGroup {
  /** The text columns to look in; all of them where none is named. */
  readonly columns: readonly number[] | undefined;
  readonly parts: MatchPart[];
}

interface PartGroup extends ColumnGroup {
  /** By a visible time; by place in the index where there is none; by key where it is hidden. */
  readonly order: 'time' | 'place' | 'key';
}

const grouped = new WeakMap<readonly MatchPart[], readonly ColumnGroup[]>();

/** The streams by the columns of their visible text. Put together once for a search. */
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
    // With every text column granted there is nothing to keep out, whichever columns they are.
    const columns = visible.length === Object.keys(scope.stream.plan.texts).length ? undefined : visible;
    const group = groups.get(String(columns));
    if (group === undefined) groups.set(String(columns), { columns, parts: [part] });
    else group.parts.push(part);
  }
  return [...groups.values()];
}

/** The streams by columns and by what their records can be ordered by, those with a visible time first. */
function groupOrders(parts: readonly MatchPart[]): PartGroup[] {
  return (['time', 'place', 'key'] as const).flatMap((order) =>
    groupColumns(parts).flatMap(({ columns, parts: all }) => {
      const some = all.filter(({ scope }) => orderOf(scope) === order);
      return some.length === 0 ? [] : [{ columns, order, parts: some }];
    }),
  );
}

export function orderOf({ stream, fields }: Scope): PartGroup['order'] {
  if (stream.timeField === undefined) return 'place';
  return fields.has(stream.timeField.name) ? 'time' : 'key';
}

export type Compare = (a: MatchedRow, b: MatchedRow) => number;

export function compareRows(parts: readonly MatchPart[]): Compare {
  const places = new Map(
    parts.map(({ scope }, place) => [scope.stream.streamId, { place, timed: orderOf(scope) === 'time' }]),
  );
  const placeOf = (row: MatchedRow) => places.get(row.stream_id)?.place ?? 0;
  const timeOf = (row: MatchedRow) => (places.get(row.stream_id)?.timed === true ? row.t : NO_TIME);
  return (a, b) => timeOf(b) - timeOf(a) || placeOf(a) - placeOf(b) || compareText(a.key, b.key);
}

async function readByKey(
  db: Kysely<Tables>,
  group: PartGroup,
  terms: MatchTerms,
  limit: number,
): Promise<MatchedRow[]> {
  // The numbers of streams tell in which order they were made; their places in the request do not.
  const places = group.parts.map(({ scope }, place) => sql`when ${scope.stream.streamId} then ${place}`);
  const order = sql`order by case r.stream_id ${sql.join(places, sql` `)} end, r.key limit ${limit}`;
  return readWalk(db, group, terms, order);
}

/** So many rows at most are read at once while a walk goes on. */
const LONGEST_STEP = 4_096;

/**
 * Walks the index backwards through the minutes that row ids carry, minute by whole minute. A record whose
 * minute was full lies in a later one, never in an earlier one, so whatever is not read yet belongs to earlier
 * minutes than the ones walked through. Enough records of those are the newest, whatever else is stored.
 */
async function walkBack(
  db: Kysely<Tables>,
  group: PartGroup,
  terms: MatchTerms,
  limit: number,
  compare: Compare,
): Promise<MatchedRow[]> {
  let best: MatchedRow[] = [];
  const timeless: MatchedRow[] = [];
  /** Reads on from a row id, down to another one, and says how far it came. */
  const read = async (below: number, from: number, most: number): Promise<number> => {
    // As whole numbers: the index passes over bounds that come as floats, and large numbers do.
    const range = sql`and x.rowid < cast(${below} as integer) and x.rowid >= cast(${from} as integer)`;
    const rows = await readWalk(db, group, terms, sql`order by x.rowid desc limit ${most}`, range);
    for (const row of rows) {
      if (row.t !== NO_TIME) best.push(row);
      else if (hasRoom(timeless, limit, row)) timeless.push(row);
    }
    best = best.sort(compare).slice(0, limit);
    await yieldToEventLoop();
    return rows.length < most ? from : (rows.at(-1) as MatchedRow).rid;
  };
  let reached = Number.MAX_SAFE_INTEGER;
  for (let step = limit; reached > 0; step = Math.min(LONGEST_STEP, step * 2)) {
    reached = await read(reached, 0, step);
    const minute = minuteOfRid(reached);
    const start = minuteStart(minute);
    while (reached > start) reached = await read(reached, start, LONGEST_STEP);
    const last = best[limit - 1];
    if (last !== undefined && minuteOf(last.t, last.key) >= minute) break;
    if (group.order === 'place' && timeless.length >= limit) break;
  }
  return [...best, ...timeless];
}

/** Records without a time lie by their keys. Within a minute row ids follow the order of writing: all of it or none. */
function hasRoom(kept: readonly MatchedRow[], limit: number, { rid }: { rid: number }): boolean {
  const last = kept[limit - 1];
  return last === undefined || minuteOfRid(last.rid) === minuteOfRid(rid);
}

async function readWalk(
  db: Kysely<Tables>,
  group: PartGroup,
  terms: MatchTerms,
  order: RawBuilder<unknown>,
  range: RawBuilder<unknown> = sql``,
): Promise<MatchedRow[]> {
  const filtered = group.parts.some(({ conditions }) => conditions.length > 0);
  const { rows } = await sql<MatchedRow>`
    select r.rid as rid, r.stream_id as stream_id, r.key as key, r.t as t, octet_length(r.data) as size
    from texts x join records r on r.rid = x.rowid
      ${filtered ? sql`join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key` : sql``}
    where x.texts match ${writeExpression(terms, group.columns)}
      and ${whereAnyPart(group.parts, 'x.rowid')} ${range}
    ${order}`.execute(db);
  return rows;
}

/** Streams without further limits are told by the row id alone, before the record is looked at. */
export function whereAnyPart(parts: readonly MatchPart[], rid: 'x.rowid' | 'r.rid'): RawBuilder<boolean> {
  const free = parts.filter(({ scope, conditions }) => isUnrestricted(scope) && conditions.length === 0);
  const limited = parts.filter((part) => !free.includes(part));
  const tests = limited.map(
    ({ scope, conditions }) =>
      sql<boolean>`(${whereVisible(scope, 'r')} and ${whereConditions(scope, conditions)})`,
  );
  if (free.length > 0) tests.push(isOfStreams(free, rid));
  return sql`(${sql.join(tests, sql` or `)})`;
}

/** That a row id belongs to one of the streams. Numbers without a gap are compared in place of being looked up. */
export function isOfStreams(
  parts: readonly MatchPart[],
  rid: 'x.rowid' | 'r.rid' | 'v.doc',
): RawBuilder<boolean> {
  const ids = parts.map(({ scope }) => scope.stream.streamId);
  const [least, most] = [Math.min(...ids), Math.max(...ids)];
  const test =
    most - least + 1 === new Set(ids).size ? `between ${least} and ${most}` : `in (${ids.join(', ')})`;
  return sql.raw(`${streamOfRid(rid)} ${test}`);
}
