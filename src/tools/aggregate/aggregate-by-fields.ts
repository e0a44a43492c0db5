import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import type { Field } from '../../schema-index/field.ts';
import type { Clock } from '../../schema-index/filter.ts';
import { fromSlotValue } from '../../schema-index/slot-value.ts';
import type { GroupOrder, Groups } from '../../store/record-reads.ts';
import type { AggregateInput } from './aggregate-input.ts';
import { labelGroups } from './group-labels.ts';
import { describeOther, fitGroups, readWhole, showValue, showWhole } from './group-rows.ts';

/** Groups by up to two fields, the first in the order asked for; without any, one number. */
export async function aggregateByFields(
  measure: Measure,
  first: GrantedStream,
  { order, limit, clock: { timeZone } }: { order: GroupOrder; limit: number; clock: Clock },
  context: ToolContext,
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
  context: ToolContext,
) {
  const fields = measure.groupBy.map((name) => context.reader.measures.groupField(first, name) as Field);
  const labels = await labelGroups(measure, groups, context);
  return groups.map((group) => ({
    ...Object.fromEntries(
      fields.map((field, index) => [
        measure.groupBy[index] as string,
        fromSlotValue(field.kind, group.by[index] ?? null, timeZone),
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
