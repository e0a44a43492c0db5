import { z } from 'zod';
import type { Clock } from '../filter/filter.ts';
import { type ListedRecord, parseSort, positionOf, readList } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import {
  disclose,
  namedFields,
  type ReadAnswer,
  type ReadContext,
  type Related,
  writeSeq,
} from '../reads/granted-read.ts';
import { Budget, clampLimit, makeMeta, makeSource, readClock, type WarningCode } from './envelope.ts';
import { findSimilarValues, readFilters } from './filter/read-filter.ts';
import { checkChangesInput, queryChanges } from './query-changes.ts';
import { showTimes, takeRecord } from './record-view.ts';
import { type Expansion, expandRecord, findRelations, pickLabels, readRowLabels } from './relations.ts';
import { checkFields, resolveStreams } from './resolve-stream.ts';
import { defineTool, filterInput, namesInput, timeZoneInput } from './tool.ts';

const DEFAULT_ROWS = 25;
const MAX_ROWS = 100;

const input = z.object({
  stream: z.string(),
  connection_id: namesInput.optional().describe('A connector_key means all its connections.'),
  filter: filterInput.describe(
    '{"field": value | [any, of] | {"gt|gte|lt|lte|ne|contains|starts_with": value, "exists": bool}}. Times: ISO, "2026-05", "last_week", "last_7_days", {"weekday": "friday"}, {"hour": 22}.',
  ),
  fields: z.array(z.string()).optional(),
  sort: z.string().optional().describe('"-field": descending. Default newest first.'),
  limit: z.int().min(1).optional().describe('Default 25, max 100.'),
  time_zone: timeZoneInput,
  cursor: z.string().optional().describe('next_cursor.'),
  count: z.enum(['exact']).optional(),
  changes_since: z.string().optional().describe('"beginning", "now" or a next_changes_since.'),
  expand: z.array(z.string()).optional().describe('Relations, or relation.field.'),
});

export type QueryInput = z.infer<typeof input>;

export const queryRecords = defineTool({
  name: 'query_records',
  title: 'Query records',
  description:
    'Read records of one stream: filter, sort, page. A field under "cut" was shortened: pass that object to fetch.',
  input,
  async run(args, context) {
    if (args.changes_since !== undefined) checkChangesInput(args);
    const streams = resolveStreams(context.reader, args.stream, args.connection_id);
    checkFields(args.fields, streams);
    const clock = readClock(args.time_zone, context);
    const call = { args, streams, clock, context, ...clampLimit(args.limit, DEFAULT_ROWS, MAX_ROWS) };
    return args.changes_since === undefined ? queryPage(call) : queryChanges(call, args.changes_since);
  },
});

/** The checked arguments that pages of records and of changes share. */
export interface QueryCall {
  readonly args: QueryInput;
  readonly streams: readonly GrantedStream[];
  readonly clock: Clock;
  readonly limit: number;
  readonly warnings: readonly WarningCode[];
  readonly context: ReadContext;
}

/** The content of a cursor: the change number of the list, and the sort value, key and stream of the last record. */
type Position = [horizon: string, value: string | number | null, key: string, stream: number];

async function queryPage({ args, streams, clock, limit, warnings, context }: QueryCall): Promise<ReadAnswer> {
  const { reader, cursors } = context;
  const conditions: Awaited<ReturnType<typeof readFilters>> =
    args.filter === undefined ? new Map() : await readFilters(args.filter, streams, clock, reader);
  const sorts = parseSort(args.sort, streams);
  const { expand } = args;
  const [relations = []] = expand ? streams.map((stream) => findRelations(stream, expand, reader)) : [];
  const query = [
    ...[args.stream, args.connection_id, args.filter, args.fields, args.sort, args.expand],
    // Left out when absent: cursors from before this argument existed stay valid.
    ...(args.time_zone === undefined ? [] : [args.time_zone]),
  ];
  const start =
    args.cursor === undefined ? undefined : await cursors.open<Position>('page', query, args.cursor);
  const { records, horizon } = await readList(reader, {
    ...{ streams, conditions, sorts, limit: limit + 1 },
    ...(start && { horizon: Number(start[0]), after: { value: start[1], key: start[2], index: start[3] } }),
  });
  let count = args.count && 0;
  if (count !== undefined)
    for (const stream of streams) count += await reader.count(stream, conditions.get(stream));

  const notes = { warnings, clock, conditions: [...conditions.values()].flat() };
  const source = makeSource(streams);
  const budget = new Budget();
  budget.takeEnvelope({ source, count, meta: makeMeta(context, notes) });
  const longest = Math.max(0, ...records.map(({ key, value }) => Buffer.byteLength(`${key}${value}`)));
  budget.reserveCursor([writeSeq(horizon), 'x'.repeat(longest), streams.length]);
  const show = { fields: args.fields, relations, clock, budget };
  const { data, labels, related, escaped } = await showRecords(records.slice(0, limit), show, context);
  const last = data.length < records.length ? records[data.length - 1] : undefined;
  const isEmpty = records.length === 0 && start === undefined;
  return {
    body: {
      data,
      labels,
      source,
      has_more: data.length < records.length,
      next_cursor: last && cursors.seal('page', query, toPosition(horizon, last)),
      count,
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

/** Shows as many records as fit, with labels for their keys and the related records that were asked for. */
async function showRecords(records: readonly ListedRecord[], options: ShowOptions, context: ReadContext) {
  const { fields, relations, clock, budget } = options;
  const escaped = { characters: 0 };
  const hasRelations = records.some(({ stream }) => stream.relations.length > 0);
  const labels = hasRelations ? await readRowLabels(records, options, context) : {};
  budget.take(labels);
  const data: unknown[] = [];
  const related: Related[] = [];
  for (const record of records) {
    const mustFit = data.length === 0;
    const row = takeRecord(showTimes(record, clock, context), { fields, budget, escaped, mustFit });
    if (row === undefined) break;
    if (relations.length === 0) {
      data.push(row);
      continue;
    }
    const found = await expandRecord(record, { relations, clock, budget, escaped }, context);
    if (found === undefined && !mustFit) break;
    data.push({ ...row, expanded: found?.shown ?? {} });
    related.push(...(found?.related ?? []));
  }
  return {
    data,
    related,
    escaped,
    labels: hasRelations ? pickLabels(labels, records.slice(0, data.length)) : undefined,
  };
}

function toPosition(horizon: number, last: ListedRecord): Position {
  const { value, key, index } = positionOf(last);
  return [writeSeq(horizon), value, key, index];
}
