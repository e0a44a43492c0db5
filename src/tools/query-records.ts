import type { GrantedStream } from '../reader/granted-stream.ts';
import { writeSeq } from '../reads/cursor.ts';
import {
  disclose,
  namedFields,
  type Related,
  type ToolAnswer,
  type ToolContext,
} from '../reads/granted-read.ts';
import type { Condition } from '../schema-index/filter.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import { toSlotValue } from '../schema-index/slot-value.ts';
import type { Sort } from '../store/record-reads.ts';
import { mergeRows } from '../store/values.ts';
import { readClock, showTimes } from './clock.ts';
import { clampLimit, DEFAULT_LIMIT, MOST_ROWS, makeMeta, makeSource, takeEnvelope } from './envelope.ts';
import { expandRecord, findRelations } from './expand.ts';
import { readFilters } from './filter/read-filter.ts';
import { findSimilarValues } from './filter/similar-values.ts';
import { pickLabels, readRowLabels } from './labels.ts';
import { Budget } from './projector.ts';
import { queryChanges } from './query-changes.ts';
import { checkFields, type QueryInput, queryInput } from './query-input.ts';
import { takeRecord } from './record-view.ts';
import { resolveStreams } from './resolve-stream.ts';
import { defineTool } from './tool.ts';

export const queryRecords = defineTool({
  name: 'query_records',
  title: 'Query records',
  description:
    'Read records of one stream: filter, sort, page. A field under "cut" was shortened: pass that object to fetch.',
  input: queryInput,
  run: (args, context) =>
    args.changes_since === undefined ? queryPage(args, context) : queryChanges(args, context),
});

/** Where a page ended: horizon, sort value, key, and which of the streams. */
type Place = [horizon: string, value: string | number | null, key: string, stream: number];

async function queryPage(args: QueryInput, context: ToolContext): Promise<ToolAnswer> {
  const { reader } = context;
  const streams = resolveStreams(reader, args.stream, args.connection_id);
  const [first] = streams as [GrantedStream];
  const clock = readClock(args.time_zone, context);
  const conditions = await readFilters(args.filter, streams, clock, reader);
  const sorts = new Map(streams.map((stream) => [stream, parseSort(args.sort, stream, streams)]));
  const sort = sorts.get(first) as Sort;
  checkFields(args.fields, streams);
  for (const stream of streams) findRelations(stream, args.expand, reader);
  const relations = findRelations(first, args.expand, reader);
  const { limit, warnings } = clampLimit(args.limit, DEFAULT_LIMIT, MOST_ROWS);
  const query = [
    args.stream,
    args.connection_id,
    args.filter,
    args.fields,
    args.sort,
    args.expand,
    // Handles from before there were zones go on.
    ...(args.time_zone === undefined ? [] : [args.time_zone]),
  ];
  const place =
    args.cursor === undefined ? undefined : await context.cursors.open<Place>('page', query, args.cursor);

  const pages = [];
  let horizon = place === undefined ? 0 : Number(place[0]);
  for (const [index, stream] of streams.entries()) {
    const page = await reader.page(stream, {
      conditions: conditions.get(stream) as Condition[],
      sort: sorts.get(stream) as Sort,
      limit: limit + 1,
      ...(place === undefined ? {} : { horizon, after: afterPlace(place, index, sort) }),
    });
    if (place === undefined) horizon = Math.max(horizon, page.horizon);
    pages.push(page.records.map((record) => ({ ...record, index })));
  }
  const found = pages.length === 1 ? (pages[0] as (typeof pages)[0]) : mergeRows(pages, sort);

  const count = args.count === undefined ? undefined : await countAll(context, streams, conditions);
  const escaped = { characters: 0 };
  const source = makeSource(streams);
  const budget = new Budget();
  takeEnvelope(budget, {
    source,
    count,
    meta: makeMeta(context, { warnings, clock, conditions: [...conditions.values()].flat() }),
  });
  const longest = found.reduce(
    (most, record) => Math.max(most, Buffer.byteLength(`${record.key}${record.value}`)),
    0,
  );
  budget.reserveHandle([writeSeq(horizon), 'x'.repeat(longest), streams.length]);
  const labels = await readRowLabels(
    found.slice(0, limit),
    (field) => args.fields?.includes(field) ?? true,
    relations.map((one) => one.relation),
    context,
    budget,
  );
  const data: unknown[] = [];
  const related: Related[] = [];
  let last: (typeof found)[number] | undefined;
  for (const record of found.slice(0, limit)) {
    const must = data.length === 0;
    const row = takeRecord(showTimes(record, clock, context), args.fields, budget, escaped, { must });
    if (row === undefined) break;
    // Waiting costs more than a row, also for nothing.
    const expanded =
      relations.length === 0
        ? undefined
        : await expandRecord(record, relations, clock, context, budget, escaped);
    if (relations.length > 0 && expanded === undefined && !must) break;
    data.push(relations.length === 0 ? row : { ...row, expanded: expanded?.shown ?? {} });
    related.push(...(expanded?.related ?? []));
    last = record;
  }
  const hasMore = data.length < found.length;
  const named = pickLabels(labels, found.slice(0, data.length));
  const cursor =
    hasMore && last !== undefined ? context.cursors.seal('page', query, toPlace(horizon, last)) : undefined;
  const isEmpty = found.length === 0 && place === undefined;
  return {
    body: {
      data,
      ...(named === undefined ? {} : { labels: named }),
      source,
      has_more: hasMore,
      ...(cursor === undefined ? {} : { next_cursor: cursor }),
      ...(count === undefined ? {} : { count }),
      ...(isEmpty ? await findSimilarValues(streams, conditions, context) : {}),
      meta: makeMeta(context, { warnings, escaped, clock, conditions: [...conditions.values()].flat() }),
    },
    tokens: budget.used,
    disclosure: disclose(streams, namedFields(streams, args.fields, conditions), data.length, related),
  };
}

type Found = { value: string | number | bigint | null; key: string; index: number };

function toPlace(horizon: number, last: Found): Place {
  const value = typeof last.value === 'bigint' ? String(last.value) : last.value;
  return [writeSeq(horizon), value, last.key, last.index];
}

/** Streams before the one a page ended in go on after its last value, those behind it at that value. */
function afterPlace(place: Place, index: number, sort: Sort) {
  const [, sent, key, at] = place;
  const value =
    sort.field?.kind === 'integer' && typeof sent === 'string' ? toSlotValue('integer', sent, 'UTC') : sent;
  return { value, key, ties: index < at ? 'none' : index === at ? 'after-key' : 'all' } as const;
}

/** Newest first, if the time of every stream read together may be seen; else by key. */
function parseSort(
  sort: string | undefined,
  stream: GrantedStream,
  together: readonly GrantedStream[],
): Sort {
  if (sort === undefined || sort === '') {
    return together.some((one) => one.timeField === undefined)
      ? { field: undefined, direction: 'asc' }
      : { field: stream.timeField, direction: 'desc' };
  }
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const field = getFieldFor(stream.fields, name, 'sort', 'sort', (one) => one.sort);
  return { field, direction: descending ? 'desc' : 'asc' };
}

async function countAll(
  context: ToolContext,
  streams: readonly GrantedStream[],
  conditions: ReadonlyMap<GrantedStream, Condition[]>,
) {
  let count = 0;
  for (const stream of streams) count += await context.reader.count(stream, conditions.get(stream));
  return count;
}
