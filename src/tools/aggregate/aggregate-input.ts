import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { isTime } from '../../schema-index/field.ts';
import { getFieldFor } from '../../schema-index/find-field.ts';
import { argument, hint, wording } from '../../text/hint.ts';
import { intervals } from '../../time/time-buckets.ts';
import { filterInput, namesInput } from '../tool.ts';

const metrics = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const;
/** Parts of time that come round again. */
export const clockIntervals = ['weekday', 'hour_of_day'] as const;
export const DEFAULT_GROUPS = 20;
export const MAX_GROUPS = 200;

export const aggregateInput = z.object({
  stream: z.string(),
  connection_id: namesInput.optional(),
  metric: z.enum(metrics).optional().describe('Default count.'),
  field: z.string().optional().describe('Not for count.'),
  group_by: z
    .array(z.string())
    .min(1)
    .max(2)
    .optional()
    .describe('Up to two of field, relation.field, connection_id; with interval or ranges one is the time.'),
  interval: z.enum([...intervals, ...clockIntervals]).optional(),
  ranges: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('{"name": "2026-05" or {"gte": time, "lt": time}}.'),
  time_zone: z.string().optional(),
  filter: filterInput.describe('As in query_records.'),
  sort: z
    .enum(['-value', 'value', 'group', '-group'])
    .optional()
    .describe('Default largest first; by time with interval.'),
  limit: z.int().min(1).optional().describe('Default 20, at most 200.'),
});

export type AggregateInput = z.infer<typeof aggregateInput>;

/** What is grouped by. With an interval or ranges the time comes first, and there may be one field beside it. */
export function checkGroups(
  args: AggregateInput,
  streams: readonly GrantedStream[],
  reader: GrantedReader,
): string[] {
  const names = args.group_by ?? [];
  if (args.interval !== undefined && args.ranges !== undefined)
    throw new AppError('invalid_argument', 'interval and ranges do not go together.', {
      hint: 'Leave one of them out.',
    });
  if (args.interval === undefined && args.ranges === undefined) {
    checkPlain(names, streams, reader);
    return names;
  }
  const [first] = streams as [GrantedStream];
  const named = names.find((name) => isTime(first.fields.get(name)?.kind ?? 'string'));
  const time = named ?? first.timeField?.name;
  const others = names.filter((name) => name !== named);
  if (others.length > 1 || time === undefined) {
    throw new AppError(
      'invalid_argument',
      'interval and ranges need a time field, and take one field beside it at most.',
      {
        hint: hint`Name them in ${argument('group_by')}, such as ${wording('["sent_at", "author"]', 'sent_at,author')}.`,
        available: [...first.fields.values()]
          .filter((field) => isTime(field.kind))
          .map((field) => field.name),
      },
    );
  }
  checkPlain(others, streams, reader);
  for (const stream of streams)
    getFieldFor(stream.fields, time, 'group_by', 'group by interval', (one) => isTime(one.kind) && one.group);
  return [time, ...others];
}

function checkPlain(
  names: readonly string[],
  streams: readonly GrantedStream[],
  reader: GrantedReader,
): void {
  for (const stream of streams)
    for (const name of names)
      if (reader.measures.groupField(stream, name)?.group !== true)
        getFieldFor(stream.fields, name, 'group_by', 'group', (one) => one.group);
}
