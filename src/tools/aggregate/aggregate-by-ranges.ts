import { AppError } from '../../errors.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { Total } from '../../reader/measures/metric-sql.ts';
import { type Clock, type Condition, describeTimes, parseFilter } from '../../schema-index/filter.ts';
import { escapeText } from '../../text/escape-text.ts';
import type { ToolContext } from '../granted-read.ts';
import { readWhole, showValue } from './group-rows.ts';

const MOST_RANGES = 12;
const LONGEST_NAME = 60;

/**
 * Stretches of time beside each other, as a call names them: this summer and the last. They may overlap and leave
 * gaps, so there is no whole that they are parts of.
 */
export async function aggregateByRanges(
  measure: Measure,
  first: GrantedStream,
  ranges: Record<string, unknown>,
  clock: Clock,
  context: ToolContext,
) {
  const [name] = measure.groupBy as [string];
  const entries = checkRanges(ranges);
  const own = entries.map(
    ([, test]) =>
      new Map(
        measure.streams.map(
          (stream) => [stream, parseFilter({ [name]: test }, stream.fields, clock)] as const,
        ),
      ),
  );
  const totals = overlapOften(own.map((one) => one.get(first) ?? []))
    ? await context.reader.measures.ranges(measure, name, own)
    : await readEach(measure, own, context);
  const groups = entries.map(([range], at) => {
    const { value, records } = totals[at] as Total;
    return {
      range: escapeText(range),
      ...describeTimes(own[at]?.get(first) ?? [], clock.timeZone)?.[name],
      value: showValue(measure, first, value, clock.timeZone),
      ...(measure.metric === 'count' ? {} : { records }),
    };
  });
  return { group_by: [name], groups };
}

type Conditions = Measure['conditions'];

/** One after the other: each is a short way along the time, where few share it. */
async function readEach(
  measure: Measure,
  ranges: readonly Conditions[],
  context: ToolContext,
): Promise<Total[]> {
  const totals: Total[] = [];
  for (const range of ranges) {
    const conditions = new Map(
      measure.streams.map((stream) => [
        stream,
        [...(range.get(stream) ?? []), ...(measure.conditions.get(stream) ?? [])],
      ]),
    );
    totals.push(await readWhole({ ...measure, groupBy: [], conditions }, context));
  }
  return totals;
}

/** Ranges that share some instant beyond this many would go through the same records as often. */
const MOST_SHARING = 2;

function overlapOften(ranges: readonly (readonly Condition[])[]): boolean {
  const bounds = ranges.map(boundsOf);
  return bounds.some(
    ([from]) => bounds.filter(([low, high]) => low <= from && from < high).length > MOST_SHARING,
  );
}

/** From where to where a range goes at the most. */
function boundsOf(conditions: readonly Condition[]): [from: number, to: number] {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const one of conditions) {
    if (one.op === 'gt' || one.op === 'gte') from = Math.max(from, Number(one.value));
    if (one.op === 'lt' || one.op === 'lte') to = Math.min(to, Number(one.value));
    if (one.op !== 'within') continue;
    from = Math.max(from, Math.min(...one.stretches.map(([start]) => start)));
    to = Math.min(to, Math.max(...one.stretches.map(([, end]) => end)));
  }
  return [from, to];
}

function checkRanges(ranges: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(ranges);
  const isFine = entries.length > 0 && entries.length <= MOST_RANGES;
  if (isFine && entries.every(([name]) => name.length <= LONGEST_NAME)) return entries;
  throw new AppError('invalid_argument', `ranges holds 1 to ${MOST_RANGES} ranges with short names.`, {
    hint: 'Write {"may": "2026-05", "holidays": {"gte": "2026-06-20", "lt": "2026-07-04"}}.',
  });
}
