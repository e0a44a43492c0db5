import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { escapeValue } from '../../text/escape-text.ts';
import { type Aggregated, isUnfiltered } from './group-rows.ts';

/** Amounts of several units, which do not add up. */
export interface MixedUnits {
  /** The field that says the unit. */
  readonly field: string;
  readonly units: readonly unknown[];
}

const MAX_UNITS = 10;

/** Whether what is measured comes in several units, among the visible records that meet the conditions. */
export async function findMixedUnits(
  measure: Measure,
  first: GrantedStream,
  context: ReadContext,
): Promise<MixedUnits | undefined> {
  const measured = measure.field === undefined ? undefined : first.fields.get(measure.field);
  const unit = measured?.unit === undefined ? undefined : first.fields.get(measured.unit);
  const adds = measure.metric !== 'count' && measure.metric !== 'count_distinct';
  if (!adds || measured === undefined || !unit?.group || measure.groupBy.includes(unit.name))
    return undefined;
  const { reader } = context;
  const all = { ...measure, groupBy: [unit.name], conditions: new Map() };
  // Where all records have one unit, so have those that meet conditions; and of all it is known until something is stored.
  const names = [measured.name, unit.name];
  if (!(await reader.keep('mixed', measure.streams, names, () => reader.measures.isMixed(all))))
    return undefined;
  const conditions = new Map(
    measure.streams.map((stream) => [
      stream,
      [...(measure.conditions.get(stream) ?? []), { field: measured, op: 'exists', yes: true } as const],
    ]),
  );
  const read = () =>
    reader.measures.groups(
      { ...measure, metric: 'count', field: undefined, groupBy: [unit.name], conditions },
      { by: 'value', direction: 'desc' },
      MAX_UNITS,
    );
  const { groups, groupCount } = isUnfiltered(measure)
    ? await reader.keep('units', measure.streams, names, read)
    : await read();
  if (groupCount < 2) return undefined;
  return { field: unit.name, units: groups.map((group) => escapeValue(group.by[0] ?? null)) };
}

/**
 * The answer without what adds different units up. Where its groups could be split by unit, they were; else each value
 * still mixes them, and the answer says how to ask.
 */
export function withoutSum(answer: Aggregated, mixed: MixedUnits, isSplit: boolean): object {
  return {
    ...withoutTotal(answer),
    ...(answer.ranges === undefined ? {} : { ranges: answer.ranges.map(withoutTotal) }),
    ...(isSplit
      ? {}
      : {
          units: mixed.units,
          hint: `Values mix units, which do not add up: filter ${mixed.field} by one of units.`,
        }),
  };
}

function withoutTotal({ total: _total, value: _value, other, ...rest }: Aggregated): Aggregated {
  const { value: _, ...left } = other ?? {};
  return { ...rest, ...(other === undefined ? {} : { other: left }) };
}
