import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { getField } from '../schema-index/find-field.ts';
import { filterInput, timeZoneInput } from './filter/filter-input.ts';
import { namesInput } from './names-input.ts';

export const queryInput = z.object({
  stream: z.string(),
  connection_id: namesInput.optional().describe('A connector_key means all its connections.'),
  filter: filterInput.describe(
    '{"field": value | [any, of] | {"gt|gte|lt|lte|ne|contains|starts_with": value, "exists": bool}}. Times: ISO, "2026-05", "last_week", "last_7_days", {"weekday": "friday"}, {"hour": 22}.',
  ),
  fields: z.array(z.string()).optional(),
  sort: z.string().optional().describe('"-field": descending. Default newest first.'),
  limit: z.int().min(1).optional().describe('Default 25, at most 100.'),
  time_zone: timeZoneInput,
  cursor: z.string().optional().describe('next_cursor.'),
  count: z.enum(['exact']).optional(),
  changes_since: z.string().optional().describe('"beginning", "now" or a next_changes_since.'),
  expand: z.array(z.string()).optional().describe('Relations, or relation.field.'),
});

export type QueryInput = z.infer<typeof queryInput>;

/** Names in `fields` are checked, not just ignored: a misspelt one would silently show nothing. */
export function checkFields(fields: readonly string[] | undefined, streams: readonly GrantedStream[]): void {
  if (fields?.length === 0)
    throw new AppError('invalid_argument', 'fields is empty.', { hint: 'Leave it out to read all fields.' });
  for (const stream of streams) for (const name of fields ?? []) getField(stream.fields, name, 'fields');
}
