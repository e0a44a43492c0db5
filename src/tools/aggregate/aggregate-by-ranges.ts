import { AppError } from '../../errors.ts';
import { type Condition, describeTimes, parseFilter } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { Total } from '../../store/record-reads.ts';
import { escapeText, escapeValue } from '../../text/escape-text.ts';
import type { Budget } from '../envelope.ts';
import { addOffsets } from '../filter/read-filter.ts';
import { readOrder, showGroups } from './aggregate-by-fields.ts';
import {
  type Aggregated,
  type Aggregation,
  createGroupBudget,
  describeOther,
  formatGroup,
  formatTotal,
  needsExactSums,
  readTotal,
} from './aggregation.ts';

const MAX_RANGES = 12;
const MAX_RANGE_NAME_CHARACTERS = 60;

/** A named period: how the answer describes it, and its conditions. */
interface NamedRange {
  readonly shown: { readonly range: string };
  readonly conditions: Measure['conditions'];
}

/**
 * Compares named periods. They may overlap and leave gaps, so they have no common total. If the call also groups by another
 * field, each range has its own groups. Returns undefined if a value or the order needs exact sums.
 */
export async function aggregateByRanges(
  call: Aggregation,
  ranges: Record<string, unknown>,
): Promise<(Aggregated & { group_by: readonly string[] }) | undefined> {
  const [name, ...others] = call.groupBy as [string, ...string[]];
  const named = await readRanges(call, name, ranges);
  if (others.length > 0) {
    const grouped = await groupRanges({ ...call, groupBy: others }, named);
    return grouped && { group_by: call.groupBy, ...grouped };
  }
  const totals = await readTotals(
    call,
    name,
    named.map(({ conditions }) => conditions),
  );
  const groups = named.map(({ shown }, at) => ({ ...shown, ...formatGroup(call, totals[at] as Total) }));
  return { group_by: [name], groups };
}

async function readRanges({ streams, first, clock, context }: Aggregation, name: string, ranges: object) {
  const entries = Object.entries(ranges);
  const areNamesShort = entries.every(([range]) => range.length <= MAX_RANGE_NAME_CHARACTERS);
  if (entries.length === 0 || entries.length > MAX_RANGES || !areNamesShort) {
    throw new AppError('invalid_argument', `ranges takes 1 to ${MAX_RANGES} ranges with short names.`, {
      hint: 'Write {"may": "2026-05", "holidays": {"gte": "2026-06-20", "lt": "2026-07-04"}}.',
    });
  }
  const named: NamedRange[] = [];
  for (const [range, period] of entries) {
    const conditions = new Map<GrantedStream, readonly Condition[]>();
    for (const stream of streams) {
      const parsed = parseFilter({ [name]: period }, stream.fields, clock);
      conditions.set(stream, await addOffsets(parsed, stream, context.reader));
    }
    const bounds = describeTimes(conditions.get(first) ?? [], clock.timeZone)?.[name];
    named.push({ shown: { range: escapeText(range), ...bounds }, conditions });
  }
  return named;
}

/** If more ranges than this overlap at one instant, all ranges are read in one scan. */
const MAX_OVERLAPPING_RANGES = 2;

async function readTotals(call: Aggregation, name: string, ranges: readonly Measure['conditions'][]) {
  const bounds = ranges.map((range) => findBounds(range.get(call.first) ?? []));
  const overlaps = bounds.map(([from]) => bounds.filter(([low, high]) => low <= from && from < high).length);
  if (Math.max(...overlaps) > MAX_OVERLAPPING_RANGES)
    return call.context.reader.measures.ranges(call, name, ranges);
  const totals: Total[] = [];
  for (const range of ranges) totals.push(await readTotal(limitToRange(call, range)));
  return totals;
}

/** Returns the widest period that the conditions allow. */
function findBounds(conditions: readonly Condition[]): [from: number, to: number] {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const one of conditions) {
    if (one.op === 'gt' || one.op === 'gte') from = Math.max(from, Number(one.value));
    if (one.op === 'lt' || one.op === 'lte') to = Math.min(to, Number(one.value));
    if (one.op !== 'within') continue;
    from = Math.max(from, Math.min(...one.intervals.map(([start]) => start)));
    to = Math.min(to, Math.max(...one.intervals.map(([, end]) => end)));
  }
  return [from, to];
}

/** Adds the conditions of a range before those of the call: if a time has two bounds, SQLite scans by the first one. */
function limitToRange(call: Aggregation, range: Measure['conditions']): Aggregation {
  const conditions = new Map(
    call.streams.map((stream) => [
      stream,
      [...(range.get(stream) ?? []), ...(call.conditions.get(stream) ?? [])],
    ]),
  );
  return { ...call, conditions };
}

/** Groups each range. Every range shows the same number of groups, as many as fit, and its total and remainder. */
async function groupRanges(call: Aggregation, ranges: readonly NamedRange[]) {
  const found = [];
  for (const { shown, conditions } of ranges) {
    const ranged = limitToRange(call, conditions);
    const groups = await call.context.reader.measures.groups(ranged, readOrder(call), call.limit);
    if (!groups.isOrdered) return undefined;
    const rows = (await showGroups(ranged, groups.groups)).map(
      (row) => escapeValue({ range: shown.range, ...row }) as typeof row,
    );
    found.push({ shown, groups, total: formatTotal(call, groups), rows });
  }
  const budget = createGroupBudget();
  for (const { shown, total } of found)
    budget.take({ ...shown, ...total, other: { groups: 0, records: 0, value: 0 } });
  const fitting = countFitting(
    found.map(({ rows }) => rows),
    budget,
  );
  const summaries: Aggregated[] = found.map(({ shown, groups, total }) => {
    const totals = groups.groups.slice(0, fitting);
    return { ...shown, ...total, ...describeOther(call, groups.groupCount - totals.length, groups, totals) };
  });
  const groups = found.flatMap(({ rows }) => rows.slice(0, fitting));
  if (needsExactSums({ groups }) || summaries.some(needsExactSums)) return undefined;
  return { ranges: summaries, groups };
}

/** Returns how many groups fit if each range shows the same number. */
function countFitting(lists: readonly (readonly unknown[])[], budget: Budget): number {
  const longest = Math.max(0, ...lists.map((rows) => rows.length));
  for (let at = 0; at < longest; at++)
    for (const rows of lists) if (rows[at] !== undefined && !budget.take(rows[at])) return at;
  return longest;
}
