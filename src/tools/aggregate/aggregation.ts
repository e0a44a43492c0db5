import type { Clock, Condition } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { isTime } from '../../schema-index/field.ts';
import type { ConditionTest } from '../../store/conditions.ts';
import { fromValue } from '../../store/field-value.ts';
import type { GroupOrder, Total } from '../../store/record-reads.ts';
import { formatMean, formatSum, isSum, type Sum, subtractSums } from '../../store/sum.ts';
import { escapeValue } from '../../text/escape-text.ts';
import { Budget } from '../envelope.ts';

export const SORTS = ['-value', 'value', 'group', '-group'] as const;

/** A checked aggregate call. */
export interface Aggregation extends Measure {
  /** The first of the streams; the others have the same fields. */
  readonly first: GrantedStream;
  readonly sort: (typeof SORTS)[number] | undefined;
  readonly limit: number;
  readonly clock: Clock;
  readonly context: ReadContext;
}

/** The result of an aggregation. Ranges have no common total. */
export interface Aggregated {
  readonly total?: unknown;
  readonly value?: unknown;
  readonly records?: number;
  readonly groups?: readonly { readonly value?: unknown; readonly records?: number }[];
  readonly other?: { readonly value?: unknown };
  /** The total of each range, where ranges have groups of their own. */
  readonly ranges?: readonly Aggregated[];
}

/** Measures all records together. A plain count comes from the day table, where the grant allows it. */
export async function readTotal(call: Aggregation): Promise<Total> {
  const { reader } = call.context;
  if (!isPlainCount(call)) return reader.measures.total({ ...call, groupBy: [] });
  let records = 0;
  for (const stream of call.streams) records += await reader.count(stream);
  return { value: records, records };
}

export function isPlainCount(measure: Measure): boolean {
  return measure.metric === 'count' && isUnfiltered(measure);
}

export function isUnfiltered(measure: Measure): boolean {
  return measure.streams.every((stream) => (measure.conditions.get(stream)?.length ?? 0) === 0);
}

/** Adds a condition on a field. SQLite scans by the first of two bounds of a time, see measures/select-parts.ts. */
export function withCondition(
  { streams, conditions }: Measure,
  name: string,
  test: ConditionTest,
  position: 'first' | 'last',
): Measure['conditions'] {
  return new Map(
    streams.map((stream) => {
      const field = stream.fields.get(name);
      const added: Condition[] = field === undefined ? [] : [{ field, ...test }];
      const own = conditions.get(stream) ?? [];
      return [stream, position === 'first' ? [...added, ...own] : [...own, ...added]];
    }),
  );
}

/** Parses the sort order of groups. */
export function parseSort(sort: NonNullable<Aggregation['sort']>): GroupOrder {
  return { by: sort.endsWith('value') ? 'value' : 'group', direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

/** Whether groups of time are shown oldest first. */
export function isOldestFirst({ sort }: Aggregation): boolean {
  return sort === undefined || sort === 'group';
}

interface GroupList<T> {
  /** The groups as shown, the most important first. */
  readonly rows: readonly T[];
  /** The total of each row. */
  readonly totals: readonly Total[];
  /** The number of all groups; undefined where they were not counted. */
  readonly count: number | undefined;
  readonly whole: Total;
  readonly isReversed?: boolean;
}

/** Returns as many groups as fit, and what they leave out. */
export function fitGroups<T>(call: Aggregation, { rows, totals, count, whole, isReversed }: GroupList<T>) {
  const budget = createGroupBudget();
  const fitting: T[] = [];
  for (const row of rows) {
    const safe = escapeValue(row) as T;
    if (!budget.take(safe)) break;
    fitting.push(safe);
  }
  const left = count === undefined ? undefined : count - fitting.length;
  return {
    groups: isReversed ? fitting.toReversed() : fitting,
    ...describeOther(call, left, whole, totals.slice(0, fitting.length)),
  };
}

const ENVELOPE_CHARACTERS = 1_200;

/** Returns the budget for groups: the budget of a result without its envelope. */
export function createGroupBudget(): Budget {
  const budget = new Budget();
  budget.take('x'.repeat(ENVELOPE_CHARACTERS));
  return budget;
}

/** Describes the groups that are not shown. Only sums and counts have a value; it is undefined if it needs exact sums. */
export function describeOther(
  { metric }: Measure,
  groups: number | undefined,
  whole: Total,
  shown: readonly Total[],
) {
  const records = whole.records - shown.reduce((sum, group) => sum + group.records, 0);
  if (records === 0) return {};
  const sums = shown.map((group) => group.value as Sum);
  const value = isSum(whole.value) ? formatSum(subtractSums(whole.value, sums)) : records;
  return {
    other: {
      ...(groups === undefined ? {} : { groups }),
      records,
      ...(metric === 'count' || metric === 'sum' ? { value } : {}),
    },
  };
}

/** Formats a value: a time in the zone of the call, a rounded number, or undefined if it needs exact sums. */
export function formatValue(
  { metric, field: name, first, clock }: Aggregation,
  value: Total['value'],
): unknown {
  if (isSum(value)) return metric === 'avg' ? formatMean(value) : formatSum(value);
  const kind = name === undefined ? undefined : first.fields.get(name)?.kind;
  const isExtreme = metric === 'min' || metric === 'max';
  if (kind !== undefined && isExtreme && isTime(kind)) return fromValue(kind, value, clock.timeZone);
  return typeof value === 'number' && Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value;
}

/** Formats the value of a group, with the number of its records unless that is the value. */
export function formatGroup(call: Aggregation, { value, records }: Total) {
  return { value: formatValue(call, value), ...(call.metric === 'count' ? {} : { records }) };
}

/** Formats the result over all records: `total` for counts and sums, else `value`. */
export function formatTotal(call: Aggregation, { value, records }: Total): Aggregated {
  const shown = formatValue(call, value);
  return ['avg', 'min', 'max'].includes(call.metric) ? { value: shown, records } : { total: shown, records };
}

/** Whether a value is missing because it needs exact sums. */
export function needsExactSums({ groups = [], other, ...whole }: Aggregated): boolean {
  const rest = other !== undefined && 'value' in other ? [other.value] : [];
  const all = 'total' in whole ? [whole.total] : 'value' in whole ? [whole.value] : [];
  return [...all, ...groups.map((group) => group.value), ...rest].includes(undefined);
}
