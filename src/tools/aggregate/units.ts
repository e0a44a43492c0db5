import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import { escapeValue } from '../../text/escape-text.ts';
import type { ToolContext } from '../granted-read.ts';
import { type Aggregated, isUnfiltered } from './group-rows.ts';

/** In what measured amounts are counted. Those of several units do not add up. */
export interface Units {
  /** The field that says the unit. */
  readonly field: string;
  readonly units: readonly unknown[];
}

const MOST_UNITS = 10;

/** The units that what is measured comes in, among the visible records that meet the conditions. */
export async function findUnits(
  measure: Measure,
  first: GrantedStream,
  context: ToolContext,
): Promise<Units | undefined> {
  const measured = measure.field === undefined ? undefined : first.fields.get(measure.field);
  const unit = measured?.unit === undefined ? undefined : first.fields.get(measured.unit);
  const adds = measure.metric !== 'count' && measure.metric !== 'count_distinct';
  if (!adds || measured === undefined || !unit?.group || measure.groupBy.includes(unit.name))
    return undefined;
  const { reader } = context;
  const names = [measured.name, unit.name];
  const all = { ...measure, groupBy: [unit.name], conditions: new Map() };
  const read = async (conditions: Measure['conditions']) => {
    const present = measure.streams.map(
      (stream) =>
        [stream, [...(conditions.get(stream) ?? []), { field: measured, op: 'exists', yes: true }]] as const,
    );
    const { groups } = await reader.measures.groups(
      { ...all, metric: 'count', field: undefined, conditions: new Map(present) as Measure['conditions'] },
      { by: 'value', direction: 'desc' },
      MOST_UNITS,
    );
    return groups.map((group) => escapeValue(group.by[0] ?? null));
  };
  const readAll = () => reader.keep('units', measure.streams, names, () => read(new Map()));
  // Where all records have one unit, so have those that meet conditions; and of all it is known until something is stored.
  const isMixed = await reader.keep('mixed', measure.streams, names, () => reader.measures.isMixed(all));
  const units = !isMixed || isUnfiltered(measure) ? await readAll() : await read(measure.conditions);
  return { field: unit.name, units };
}

/**
 * The answer without what adds different units up. Where its groups could be split by unit, they were; else each value
 * still mixes them, and the answer says how to ask.
 */
export function withoutSum(answer: Aggregated, mixed: Units, isSplit: boolean): object {
  const { total: _total, value: _value, other, ...rest } = answer;
  const { value: _, ...left } = other ?? {};
  return {
    ...rest,
    ...(other === undefined ? {} : { other: left }),
    ...(isSplit
      ? {}
      : {
          units: mixed.units,
          hint: `Values mix units, which do not add up: filter ${mixed.field} by one of units.`,
        }),
  };
}
