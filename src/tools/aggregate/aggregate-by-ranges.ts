import { AppError } from '../../errors.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import { type Clock, describeTimes, parseFilter } from '../../schema-index/filter.ts';
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
  const groups = [];
  for (const [range, test] of checkRanges(ranges)) {
    const own = measure.streams.map(
      (stream) => [stream, parseFilter({ [name]: test }, stream.fields, clock)] as const,
    );
    const conditions = new Map(
      own.map(([stream, more]) => [stream, [...(measure.conditions.get(stream) ?? []), ...more]]),
    );
    const total = await readWhole({ ...measure, groupBy: [], conditions }, context);
    groups.push({
      range: escapeText(range),
      ...describeTimes(own[0]?.[1] ?? [], clock.timeZone)?.[name],
      value: showValue(measure, first, total.value, clock.timeZone),
      ...(measure.metric === 'count' ? {} : { records: total.records }),
    });
  }
  return { group_by: [name], groups };
}

function checkRanges(ranges: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(ranges);
  const isFine = entries.length > 0 && entries.length <= MOST_RANGES;
  if (isFine && entries.every(([name]) => name.length <= LONGEST_NAME)) return entries;
  throw new AppError('invalid_argument', `ranges holds 1 to ${MOST_RANGES} ranges with short names.`, {
    hint: 'Write {"may": "2026-05", "holidays": {"gte": "2026-06-20", "lt": "2026-07-04"}}.',
  });
}
