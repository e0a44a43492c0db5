import { escapeValue } from '../../text/escape-text.ts';
import { type Aggregated, type Aggregation, isUnfiltered, withCondition } from './aggregation.ts';

/** Amounts of several units, which do not add up. */
export interface MixedUnits {
  /** The field that holds the unit. */
  readonly field: string;
  readonly units: readonly unknown[];
}

const MAX_UNITS = 10;

/** Returns the units of the measured amounts, if the matching visible records have several. */
export async function findMixedUnits(call: Aggregation): Promise<MixedUnits | undefined> {
  const { streams, metric, first } = call;
  const { reader } = call.context;
  const measured = call.field === undefined ? undefined : first.fields.get(call.field);
  const unit = measured?.unit === undefined ? undefined : first.fields.get(measured.unit);
  const adds = metric !== 'count' && metric !== 'count_distinct';
  if (!adds || measured === undefined || !unit?.group || call.groupBy.includes(unit.name)) return undefined;
  const groupBy = [unit.name];
  const names = [measured.name, unit.name];
  // One unit over all records is one unit under any filter, and that answer is cached until something is stored.
  const isMixed = () => reader.measures.isMixed({ ...call, groupBy, conditions: new Map() });
  if (!(await reader.cached('mixed', streams, names, isMixed))) return undefined;
  const conditions = withCondition(call, measured.name, { op: 'exists', yes: true }, 'last');
  const read = () =>
    reader.measures.groups(
      { ...call, metric: 'count', field: undefined, groupBy, conditions },
      { by: 'value', direction: 'desc' },
      MAX_UNITS,
    );
  const { groups, groupCount } = isUnfiltered(call)
    ? await reader.cached('units', streams, names, read)
    : await read();
  if (groupCount < 2) return undefined;
  return { field: unit.name, units: groups.map((group) => escapeValue(group.by[0] ?? null)) };
}

/** Removes totals over different units. Where the groups are not split by unit, adds a hint how to ask. */
export function removeMixedTotals(answer: Aggregated, mixed: MixedUnits, isSplit: boolean): object {
  return {
    ...withoutTotal(answer),
    ...(answer.ranges === undefined ? {} : { ranges: answer.ranges.map(withoutTotal) }),
    ...(isSplit
      ? {}
      : {
          units: mixed.units,
          hint: `Values mix different units: filter ${mixed.field} by one of units.`,
        }),
  };
}

function withoutTotal({ total: _total, value: _value, other, ...rest }: Aggregated): Aggregated {
  const { value: _, ...left } = other ?? {};
  return { ...rest, ...(other === undefined ? {} : { other: left }) };
}
