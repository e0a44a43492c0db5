import { visibleColumns } from '../records/visible-part.ts';
import type { Scope } from '../scope.ts';
import type { MatchedRow, MatchPart } from '../search-reads.ts';
import { compareText, NO_TIME } from '../values.ts';

/** Streams with the same granted text columns. */
export interface ColumnGroup {
  /** The text columns to search; all if undefined. */
  readonly columns: readonly number[] | undefined;
  readonly parts: MatchPart[];
}

export interface PartGroup extends ColumnGroup {
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

/** Caches the groups, because statements are compiled once per group. */
const ordered = new WeakMap<readonly MatchPart[], readonly PartGroup[]>();

/** Groups streams by columns and order, those with a visible time first. */
export function groupOrders(parts: readonly MatchPart[]): readonly PartGroup[] {
  const known = ordered.get(parts) ?? makeOrders(parts);
  ordered.set(parts, known);
  return known;
}

function makeOrders(parts: readonly MatchPart[]): PartGroup[] {
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

/** Compares by newest first, then by part and key. A hidden time is not compared. */
export function compareRows(parts: readonly MatchPart[]): Compare {
  const streams = new Map(
    parts.map(({ scope }, at) => [scope.stream.streamId, { at, isTimed: orderOf(scope) === 'time' }]),
  );
  const partOf = (row: MatchedRow) => streams.get(row.stream_id)?.at ?? 0;
  const timeOf = (row: MatchedRow) => (streams.get(row.stream_id)?.isTimed === true ? row.t : NO_TIME);
  return (a, b) => timeOf(b) - timeOf(a) || partOf(a) - partOf(b) || compareText(a.key, b.key);
}

/** Merges the matches of each group: records with a visible time first, then the others. */
export async function mergeGroups(
  parts: readonly MatchPart[],
  limit: number,
  read: (group: PartGroup, compare: Compare) => Promise<MatchedRow[]>,
): Promise<MatchedRow[]> {
  const compare = compareRows(parts);
  const found: MatchedRow[] = [];
  let timed = 0;
  for (const group of groupOrders(parts)) {
    // With enough records that have a visible time, the other groups are not needed.
    if (group.order !== 'time' && timed >= limit) break;
    const rows = await read(group, compare);
    if (group.order === 'time') timed += rows.filter((row) => row.t !== NO_TIME).length;
    found.push(...rows);
  }
  return found.sort(compare).slice(0, limit);
}
