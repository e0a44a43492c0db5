import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { isTime } from '../../schema-index/field.ts';
import { fromValue } from '../../store/field-value.ts';
import type { Period, Total } from '../../store/record-reads.ts';
import { isSum, type Sum, showMean, showSum, withoutSums } from '../../store/sum.ts';
import { escapeValue } from '../../text/escape-text.ts';
import { Budget } from '../envelope.ts';

/** A plain count comes from the day table, where the grant allows it. */
export async function readWhole(
  measure: Measure,
  context: ReadContext,
  stretch: Period = {},
): Promise<Total> {
  if (!isPlainCount(measure)) return context.reader.measures.total({ ...measure, groupBy: [] });
  let records = 0;
  for (const stream of measure.streams) records += await context.reader.count(stream, [], stretch);
  return { value: records, records };
}

export function isPlainCount(measure: Measure): boolean {
  return measure.metric === 'count' && isUnfiltered(measure);
}

export function isUnfiltered(measure: Measure): boolean {
  return measure.streams.every((stream) => (measure.conditions.get(stream)?.length ?? 0) === 0);
}

/**
 * What the shown groups leave out, if anything. Sums and counts add up, so their rest has a value, undefined where near
 * sums leave it open; others have none.
 */
export function describeOther(
  measure: Measure,
  groups: number | undefined,
  whole: Total,
  shown: readonly Total[],
) {
  const records = whole.records - shown.reduce((sum, group) => sum + group.records, 0);
  if (records === 0) return {};
  const adds = measure.metric === 'count' || measure.metric === 'sum';
  return {
    other: {
      ...(groups === undefined ? {} : { groups }),
      records,
      ...(adds ? { value: restOf(whole, records, shown) } : {}),
    },
  };
}

function restOf(whole: Total, records: number, shown: readonly Total[]): number | undefined {
  if (!isSum(whole.value)) return records;
  return showSum(
    withoutSums(
      whole.value,
      shown.map((group) => group.value as Sum),
    ),
  );
}

/** As many groups as the budget holds, the first first. */
export function fitGroups<T>(rows: readonly T[]): T[] {
  const budget = new Budget();
  budget.take('x'.repeat(1_200));
  const fitting: T[] = [];
  for (const row of rows) {
    const safe = escapeValue(row) as T;
    if (!budget.take(safe)) break;
    fitting.push(safe);
  }
  return fitting;
}

/**
 * Times by the clock of a zone, numbers without the noise of binary fractions; undefined for a near sum that leaves
 * it open.
 */
export function showValue(
  measure: Measure,
  stream: GrantedStream,
  value: Total['value'],
  timeZone: string,
): unknown {
  if (isSum(value)) return measure.metric === 'avg' ? showMean(value) : showSum(value);
  const field = measure.field === undefined ? undefined : stream.fields.get(measure.field);
  const isExtreme = measure.metric === 'min' || measure.metric === 'max';
  if (field !== undefined && isExtreme && isTime(field.kind)) return fromValue(field.kind, value, timeZone);
  return typeof value === 'number' ? roundNumber(value) : value;
}

/** What all records come to: what adds up is a total, a mean or an extreme is a value. */
export function showWhole(
  measure: Measure,
  stream: GrantedStream,
  whole: Total,
  timeZone: string,
): Aggregated {
  const value = showValue(measure, stream, whole.value, timeZone);
  const { records } = whole;
  return ['avg', 'min', 'max'].includes(measure.metric) ? { value, records } : { total: value, records };
}

/** What buckets are put in order by, the missing lowest; undefined for a near sum that leaves it open. */
export function rankOf(measure: Measure, value: Total['value']): number | undefined {
  const rank = isSum(value) ? (measure.metric === 'avg' ? showMean(value) : showSum(value)) : value;
  return rank === undefined ? undefined : rank === null ? -Infinity : Number(rank);
}

/** Whether a value is missing that only exact sums will tell. */
export function isOpen({ groups = [], other, ...whole }: Aggregated): boolean {
  const rest = other !== undefined && 'value' in other ? [other.value] : [];
  const all = 'total' in whole ? [whole.total] : 'value' in whole ? [whole.value] : [];
  return [...all, ...groups.map((group) => group.value), ...rest].includes(undefined);
}

/** What was added up or measured. Named stretches of time have no whole. */
export interface Aggregated {
  readonly total?: unknown;
  readonly value?: unknown;
  readonly records?: number;
  readonly groups?: readonly { readonly value?: unknown }[];
  readonly other?: { readonly value?: unknown };
  /** What each of some named stretches comes to, where they have groups of their own. */
  readonly ranges?: readonly Aggregated[];
}

function roundNumber(value: number): number {
  return Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value;
}
