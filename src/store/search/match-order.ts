import { visibleColumns } from '../records/visible-part.ts';
import type { Scope } from '../scope.ts';
import type { MatchedRow, MatchPart } from '../search-reads.ts';
import { compareText, NO_TIME } from '../values.ts';

/** Streams with the same granted text columns. */
export interface ColumnGroup {
  /** The text columns to search. Undefined means all. */
  readonly columns: readonly number[] | undefined;
  readonly parts: MatchPart[];
}

export interface PartGroup extends ColumnGroup {
  /** `time` if the time is visible, `key` if it is hidden, `rid` (row id) for streams without a time. */
  readonly order: 'time' | 'rid' | 'key';
}

/** Cache of groups by columns: every word of a search needs the same groups. */
const columnGroups = new WeakMap<readonly MatchPart[], readonly ColumnGroup[]>();

/** Groups streams by their granted text columns. */
export function groupColumns(parts: readonly MatchPart[]): readonly ColumnGroup[] {
  const groups = columnGroups.get(parts) ?? makeGroups(parts);
  columnGroups.set(parts, groups);
  return groups;
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

/** Cache of groups by columns and order: statements are compiled once per group. */
const orderGroups = new WeakMap<readonly MatchPart[], readonly PartGroup[]>();

/** Groups streams by columns and order, those with a visible time first. */
export function groupOrders(parts: readonly MatchPart[]): readonly PartGroup[] {
  const groups = orderGroups.get(parts) ?? makeOrders(parts);
  orderGroups.set(parts, groups);
  return groups;
}

function makeOrders(parts: readonly MatchPart[]): PartGroup[] {
  return (['time', 'rid', 'key'] as const).flatMap((order) =>
    groupColumns(parts).flatMap(({ columns, parts: all }) => {
      const matching = all.filter(({ scope }) => orderOf(scope) === order);
      return matching.length === 0 ? [] : [{ columns, order, parts: matching }];
    }),
  );
}

export function orderOf({ stream, fields }: Scope): PartGroup['order'] {
  if (stream.timeField === undefined) return 'rid';
  return fields.has(stream.timeField.name) ? 'time' : 'key';
}

export type Compare = (a: MatchedRow, b: MatchedRow) => number;

/** Returns a comparison that puts newest records first, then orders by part and key. It ignores hidden times. */
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
    // Records with a visible time come first. If there are enough of them, the other groups are not read.
    if (group.order !== 'time' && timed >= limit) break;
    const rows = await read(group, compare);
    if (group.order === 'time') timed += rows.filter((row) => row.t !== NO_TIME).length;
    found.push(...rows);
  }
  return found.sort(compare).slice(0, limit);
}
