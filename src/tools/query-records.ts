import { z } from 'zod';
import type { Clock } from '../filter/filter.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { type ListedRecord, parseSort, positionOf, readList } from '../reader/pager.ts';
import {
  disclose,
  namedFields,
  type ReadAnswer,
  type ReadContext,
  type Related,
  writeSeq,
} from '../reads/granted-read.ts';
import {
  Budget,
  clampLimit,
  DEFAULT_LIMIT,
  MAX_ROWS,
  makeMeta,
  makeSource,
  readClock,
  showTimes,
  takeEnvelope,
} from './envelope.ts';
import { type Expansion, expandRecord, findRelations } from './expand.ts';
import { readFilters } from './filter/read-filter.ts';
import { findSimilarValues } from './filter/similar-values.ts';
import { pickLabels, readRowLabels } from './labels.ts';
import { queryChanges } from './query-changes.ts';
import { takeRecord } from './record-view.ts';
import { checkFields, resolveStreams } from './resolve-stream.ts';
import { defineTool, filterInput, namesInput, timeZoneInput } from './tool.ts';

const input = z.object({
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

export const queryRecords = defineTool({
  name: 'query_records',
  title: 'Query records',
  description:
    'Read records of one stream: filter, sort, page. A field under "cut" was shortened: pass that object to fetch.',
  input,
  run: ({ changes_since, ...args }, context) =>
    changes_since === undefined
      ? queryPage(args, context)
      : queryChanges({ ...args, changes_since }, context),
});

type PageInput = Omit<z.infer<typeof input>, 'changes_since'>;

type Conditions = Awaited<ReturnType<typeof readFilters>>;

/** A cursor: the change number of the list, and the sort value, key and stream of the last record shown. */
type Place = [horizon: string, value: string | number | null, key: string, stream: number];

async function queryPage(args: PageInput, context: ReadContext): Promise<ReadAnswer> {
  const { reader, cursors } = context;
  const streams = resolveStreams(reader, args.stream, args.connection_id);
  const clock = readClock(args.time_zone, context);
  const conditions: Conditions =
    args.filter === undefined ? new Map() : await readFilters(args.filter, streams, clock, reader);
  const sorts = parseSort(args.sort, streams);
  checkFields(args.fields, streams);
  const { expand } = args;
  const [relations = []] = expand ? streams.map((stream) => findRelations(stream, expand, reader)) : [];
  const { limit, warnings } = clampLimit(args.limit, DEFAULT_LIMIT, MAX_ROWS);
  const query = [
    ...[args.stream, args.connection_id, args.filter, args.fields, args.sort, args.expand],
    // Handles from before there were zones go on.
    ...(args.time_zone === undefined ? [] : [args.time_zone]),
  ];
  const place = args.cursor === undefined ? undefined : await cursors.open<Place>('page', query, args.cursor);
  const { records, horizon } = await readList(reader, {
    ...{ streams, conditions, sorts, limit: limit + 1 },
    ...(place && { horizon: Number(place[0]), after: { value: place[1], key: place[2], index: place[3] } }),
  });
  const count = args.count && (await countAll(context, streams, conditions));

  const notes = { warnings, clock, conditions: [...conditions.values()].flat() };
  const source = makeSource(streams);
  const budget = new Budget();
  takeEnvelope(budget, { source, count, meta: makeMeta(context, notes) });
  const longest = Math.max(0, ...records.map(({ key, value }) => Buffer.byteLength(`${key}${value}`)));
  budget.reserveHandle([writeSeq(horizon), 'x'.repeat(longest), streams.length]);
  const show = { fields: args.fields, relations, clock, budget };
  const { data, labels, related, escaped } = await showRecords(records.slice(0, limit), show, context);
  const last = data.length < records.length ? records[data.length - 1] : undefined;
  const isEmpty = records.length === 0 && place === undefined;
  return {
    body: {
      data,
      ...(labels && { labels }),
      source,
      has_more: data.length < records.length,
      ...(last && { next_cursor: cursors.seal('page', query, toPlace(horizon, last)) }),
      ...(count === undefined ? {} : { count }),
      ...(isEmpty ? await findSimilarValues(streams, conditions, context) : {}),
      meta: makeMeta(context, { ...notes, escaped }),
    },
    tokens: budget.used,
    disclosure: disclose(streams, namedFields(streams, args.fields, conditions), data.length, related),
  };
}

interface ShowOptions {
  readonly fields: readonly string[] | undefined;
  readonly relations: readonly Expansion[];
  readonly clock: Clock;
  readonly budget: Budget;
}

/** Shows as many records as fit, with what their keys stand for and the related records that were asked for. */
async function showRecords(records: readonly ListedRecord[], options: ShowOptions, context: ReadContext) {
  const { fields, relations, clock, budget } = options;
  const escaped = { characters: 0 };
  const expanded = relations.map((one) => one.relation);
  const isShown = (field: string) => fields?.includes(field) ?? true;
  const labels = await readRowLabels(records, isShown, expanded, context, budget);
  const data: unknown[] = [];
  const related: Related[] = [];
  for (const record of records) {
    const must = data.length === 0;
    const row = takeRecord(showTimes(record, clock, context), fields, budget, escaped, { must });
    if (row === undefined) break;
    if (relations.length === 0) {
      data.push(row);
      continue;
    }
    const found = await expandRecord(record, { relations, clock, budget, escaped }, context);
    if (found === undefined && !must) break;
    data.push({ ...row, expanded: found?.shown ?? {} });
    related.push(...(found?.related ?? []));
  }
  return { data, related, escaped, labels: pickLabels(labels, records.slice(0, data.length)) };
}

function toPlace(horizon: number, last: ListedRecord): Place {
  const { value, key, index } = positionOf(last);
  return [writeSeq(horizon), value, key, index];
}

async function countAll(
  { reader }: ReadContext,
  streams: readonly GrantedStream[],
  conditions: Conditions,
): Promise<number> {
  let count = 0;
  for (const stream of streams) count += await reader.count(stream, conditions.get(stream));
  return count;
}
