import type { Measure } from '../grants/granted-reader.ts';
import type { GrantedStream } from '../grants/granted-stream.ts';
import type { Total } from '../grants/read-aggregate.ts';
import type { Stretch } from '../grants/read-counts.ts';
import { isTime } from '../schema-index/field.ts';
import { fromSlotValue } from '../schema-index/slot-value.ts';
import { escapeValue } from './escape-text.ts';
import { Budget } from './projector.ts';
import type { ToolContext } from './tool.ts';

/** A plain count comes from the day table, where the grant allows it. */
export async function readWhole(
  measure: Measure,
  context: ToolContext,
  stretch: Stretch = {},
): Promise<Total> {
  if (!isPlainCount(measure)) return context.reader.total({ ...measure, groupBy: [] });
  let records = 0;
  for (const stream of measure.streams) records += await context.reader.count(stream, [], stretch);
  return { value: records, records };
}

export function isPlainCount(measure: Measure): boolean {
  return measure.metric === 'count' && isUnfiltered(measure);
}

function isUnfiltered(measure: Measure): boolean {
  return measure.streams.every((stream) => (measure.conditions.get(stream)?.length ?? 0) === 0);
}

/** What the shown groups leave out. Sums and counts add up, so their rest has a value; others have none. */
export function describeOther(
  measure: Measure,
  groups: number | undefined,
  whole: { records: number; value: unknown },
  shown: readonly { records: number; value: unknown }[],
) {
  const records = whole.records - shown.reduce((sum, group) => sum + group.records, 0);
  const adds = measure.metric === 'count' || measure.metric === 'sum';
  const shownValue = shown.reduce((sum, group) => sum + Number(group.value), 0);
  // With no record left nothing is left, whatever binary fractions say.
  const value = records === 0 ? 0 : roundNumber(Number(whole.value) - shownValue);
  return {
    other: {
      ...(groups === undefined ? {} : { groups }),
      records,
      ...(adds ? { value } : {}),
    },
  };
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

/** Times as times, numbers without the noise of binary fractions. */
export function showValue(measure: Measure, stream: GrantedStream, value: unknown): unknown {
  const field = measure.field === undefined ? undefined : stream.fields.get(measure.field);
  const isExtreme = measure.metric === 'min' || measure.metric === 'max';
  if (field !== undefined && isExtreme && isTime(field.kind))
    return fromSlotValue(field.kind, value as number | null);
  return typeof value === 'number' ? roundNumber(value) : value;
}

function roundNumber(value: number): number {
  return Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value;
}
