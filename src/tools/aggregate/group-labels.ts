import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import type { Groups } from '../../store/record-reads.ts';
import { type Labels, readLabels } from '../labels.ts';

/**
 * Names for the groups of fields that point to other records: one is a label, two have one each. A group that is itself
 * called so keeps its own value.
 */
export async function labelGroups(measure: Measure, groups: Groups['groups'], context: ToolContext) {
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
