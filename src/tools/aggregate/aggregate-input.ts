import { z } from 'zod';
import { intervals } from '../../time/time-buckets.ts';
import { filterInput } from '../filter/filter-input.ts';
import { namesInput } from '../names-input.ts';

const metrics = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const;
/** Parts of time that come round again. */
export const clockIntervals = ['weekday', 'hour_of_day'] as const;
export const DEFAULT_GROUPS = 20;
export const MOST_GROUPS = 200;

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
