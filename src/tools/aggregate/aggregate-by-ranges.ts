import { AppError } from '../../errors.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { GroupOrder, Groups } from '../../reader/measures/read-aggregate.ts';
import { type Clock, describeTimes, parseFilter } from '../../schema-index/filter.ts';
import { escapeText } from '../../text/escape-text.ts';
import type { ToolContext } from '../granted-read.ts';
import { showGroups } from './aggregate-by-fields.ts';
import { describeOther, fitGroups, readWhole, showValue } from './group-rows.ts';

const MOST_RANGES = 12;
const LONGEST_NAME = 60;

interface RangeOptions {
  readonly ranges: Record<string, unknown>;
  readonly clock: Clock;
  readonly order: GroupOrder;
  readonly limit: number;
}

/**
 * Stretches of time beside each other, as a call names them: this summer and the last. They may overlap and leave
 * gaps, so there is no whole that they are parts of. With a field beside the time, each has its own first groups.
 */
export async function aggregateByRanges(
  measure: Measure,
  first: GrantedStream,
  options: RangeOptions,
  context: ToolContext,
) {
  const [name, ...others] = measure.groupBy as [string, ...string[]];
  const { timeZone } = options.clock;
  const stretches = [];
  for (const [range, test] of checkRanges(options.ranges)) {
    const own = measure.streams.map(
      (stream) => [stream, parseFilter({ [name]: test }, stream.fields, options.clock)] as const,
    );
    const conditions = new Map(
      own.map(([stream, more]) => [stream, [...(measure.conditions.get(stream) ?? []), ...more]]),
    );
    const total = await readWhole({ ...measure, groupBy: [], conditions }, context);
    const shown = {
      range: escapeText(range),
      ...describeTimes(own[0]?.[1] ?? [], timeZone)?.[name],
      value: showValue(measure, first, total.value, timeZone),
      ...(measure.metric === 'count' ? {} : { records: total.records }),
    };
    stretches.push({ shown, total, conditions });
  }
  if (others.length === 0) return { group_by: [name], groups: stretches.map(({ shown }) => shown) };

  const inner: Inner[] = [];
  for (const { shown, total, conditions } of stretches) {
    const own = { ...measure, groupBy: others, conditions };
    const found = await context.reader.measures.groups(own, options.order, options.limit);
    if (!found.isOrdered) return undefined;
    const rows = await showGroups(own, first, found.groups, timeZone, context);
    inner.push({ shown, total, found, rows: rows.map((row) => ({ range: shown.range, ...row })) });
  }
  return { group_by: [name, ...others], ...fitRanges(measure, inner, options.limit) };
}

interface Inner {
  readonly shown: { readonly range: string; readonly value: unknown };
  readonly total: Groups | Awaited<ReturnType<typeof readWhole>>;
  readonly found: Groups;
  readonly rows: { readonly range: string; readonly value: unknown }[];
}

/** The same number of groups of every range, as many as fit; what each leaves out is said with it. */
function fitRanges(measure: Measure, inner: readonly Inner[], limit: number) {
  let each = limit;
  let groups = inner.flatMap(({ rows }) => rows.slice(0, each));
  while (
    each > 1 &&
    fitGroups([...inner.map(({ shown }) => shown), ...groups]).length < inner.length + groups.length
  ) {
    each = Math.floor(each * 0.8);
    groups = inner.flatMap(({ rows }) => rows.slice(0, each));
  }
  return {
    ranges: inner.map(({ shown, total, found }) => ({
      ...shown,
      ...describeOther(
        measure,
        found.groupCount - Math.min(each, found.groups.length),
        total,
        found.groups.slice(0, each),
      ),
    })),
    groups: fitGroups(groups),
  };
}

function checkRanges(ranges: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(ranges);
  const isFine = entries.length > 0 && entries.length <= MOST_RANGES;
  if (isFine && entries.every(([name]) => name.length <= LONGEST_NAME)) return entries;
  throw new AppError('invalid_argument', `ranges holds 1 to ${MOST_RANGES} ranges with short names.`, {
    hint: 'Write {"may": "2026-05", "holidays": {"gte": "2026-06-20", "lt": "2026-07-04"}}.',
  });
}
