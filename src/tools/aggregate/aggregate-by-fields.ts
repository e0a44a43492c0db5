import type { Clock } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Field } from '../../schema-index/field.ts';
import { fromValue } from '../../store/field-value.ts';
import type { GroupOrder, Groups } from '../../store/record-reads.ts';
import { type Labels, readLabels } from '../labels.ts';
import type { AggregateInput } from './aggregate-input.ts';
import { describeOther, fitGroups, readWhole, showValue, showWhole } from './group-rows.ts';

/** Groups by up to two fields, the first in the order asked for; without any, one number. */
export async function aggregateByFields(
  measure: Measure,
  first: GrantedStream,
  { order, limit, clock: { timeZone } }: { order: GroupOrder; limit: number; clock: Clock },
  context: ReadContext,
) {
  if (measure.groupBy.length === 0) {
    return showWhole(measure, first, await readWhole(measure, context), timeZone);
  }
  const found = await context.reader.measures.groups(measure, order, limit);
  if (!found.isOrdered) return undefined;
  const rows = await showGroups(measure, first, found.groups, timeZone, context);
  const groups = fitGroups(rows);
  const shown = found.groups.slice(0, groups.length);
  return {
    group_by: measure.groupBy,
    ...showWhole(measure, first, found, timeZone),
    sort: found.sort,
    groups,
    ...describeOther(measure, found.groupCount - groups.length, found, shown),
  };
}

/** Groups as an answer shows them: what they are called by, its name, and how large they are. */
export async function showGroups(
  measure: Measure,
  first: GrantedStream,
  groups: Groups['groups'],
  timeZone: string,
  context: ReadContext,
) {
  const fields = measure.groupBy.map((name) => context.reader.measures.groupField(first, name) as Field);
  const labels = await labelGroups(measure, groups, context);
  return groups.map((group) => ({
    ...Object.fromEntries(
      fields.map((field, index) => [
        measure.groupBy[index] as string,
        fromValue(field.kind, group.by[index] ?? null, timeZone),
      ]),
    ),
    ...labels(group.by),
    value: showValue(measure, first, group.value, timeZone),
    ...(measure.metric === 'count' ? {} : { records: group.records }),
  }));
}

/** What "top" means unless told otherwise: the largest, and where all are negative the largest of those. */
export function readOrder(
  sort: AggregateInput['sort'],
  first: GrantedStream,
  { field }: { field: string | undefined },
): GroupOrder {
  const kind = field === undefined ? undefined : first.fields.get(field)?.kind;
  if (sort === undefined)
    return { by: kind === 'number' || kind === 'integer' ? 'size' : 'value', direction: 'desc' };
  return { by: sort.endsWith('value') ? 'value' : 'group', direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

/**
 * Names for the groups of fields that point to other records: one is a label, two have one each. A group that is itself
 * called so keeps its own value.
 */
async function labelGroups(measure: Measure, groups: Groups['groups'], context: ReadContext) {
  const found: [name: string, at: number, labels: Labels][] = [];
  for (const [at, name] of measure.groupBy.entries()) {
    const keys = groups.map((group) => group.by[at]);
    const labels = await readLabels(measure.streams, name, keys, context);
    if (labels.size > 0) found.push([name, at, labels]);
  }
  return (by: readonly unknown[]): { label?: string; labels?: Record<string, string> } => {
    const named = found.flatMap(([name, at, labels]) => {
      const label = labels.get(String(by[at]));
      return label === undefined ? [] : [[name, label] as const];
    });
    if (named[0] === undefined) return {};
    if (found.length === 1 && !measure.groupBy.includes('label')) return { label: named[0][1] };
    return measure.groupBy.includes('labels') ? {} : { labels: Object.fromEntries(named) };
  };
}
