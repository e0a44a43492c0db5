import type { Field } from '../../schema-index/field.ts';
import { fromValue } from '../../store/field-value.ts';
import type { GroupOrder, Groups } from '../../store/record-reads.ts';
import { type Labels, readLabels } from '../relations.ts';
import {
  type Aggregation,
  fitGroups,
  formatGroup,
  formatTotal,
  parseSort,
  readTotal,
} from './aggregation.ts';

/** Groups by up to two fields; without any, returns one number. Undefined where the order needs exact sums. */
export async function aggregateByFields(call: Aggregation) {
  if (call.groupBy.length === 0) return formatTotal(call, await readTotal(call));
  const found = await call.context.reader.measures.groups(call, readOrder(call), call.limit);
  if (!found.isOrdered) return undefined;
  return {
    group_by: call.groupBy,
    ...formatTotal(call, found),
    sort: found.sort,
    ...fitGroups(call, {
      rows: await showGroups(call, found.groups),
      totals: found.groups,
      count: found.groupCount,
      whole: found,
    }),
  };
}

/** Formats groups: the values they are grouped by, the names of these, and their size. */
export async function showGroups(call: Aggregation, groups: Groups['groups']) {
  const { groupBy, first, clock, context } = call;
  const fields = groupBy.map((name) => context.reader.measures.groupField(first, name) as Field);
  const labels = await labelGroups(call, groups);
  return groups.map((group) => ({
    ...Object.fromEntries(
      fields.map((field, index) => [
        groupBy[index] as string,
        fromValue(field.kind, group.by[index] ?? null, clock.timeZone),
      ]),
    ),
    ...labels(group.by),
    ...formatGroup(call, group),
  }));
}

/** Reads the order of groups. The default is the largest number first, the most negative where all are negative. */
export function readOrder({ sort, field, first }: Aggregation): GroupOrder {
  if (sort !== undefined) return parseSort(sort);
  const kind = field === undefined ? undefined : first.fields.get(field)?.kind;
  return { by: kind === 'number' || kind === 'integer' ? 'size' : 'value', direction: 'desc' };
}

/**
 * Names the groups of fields that point to other records: `label` for one such field, `labels` for two. A group field
 * of that name keeps its value.
 */
async function labelGroups({ groupBy, streams, context }: Aggregation, groups: Groups['groups']) {
  const found: [name: string, at: number, labels: Labels][] = [];
  for (const [at, name] of groupBy.entries()) {
    const keys = groups.map((group) => group.by[at]);
    const labels = await readLabels(streams, name, keys, context);
    if (labels.size > 0) found.push([name, at, labels]);
  }
  return (by: readonly unknown[]): { label?: string; labels?: Record<string, string> } => {
    const named = found.flatMap(([name, at, labels]) => {
      const label = labels.get(String(by[at]));
      return label === undefined ? [] : [[name, label] as const];
    });
    if (named[0] === undefined) return {};
    if (found.length === 1 && !groupBy.includes('label')) return { label: named[0][1] };
    return groupBy.includes('labels') ? {} : { labels: Object.fromEntries(named) };
  };
}
