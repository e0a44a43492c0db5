import { AppError } from '../errors.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { disclose, namedFields, type ReadAnswer, type ReadContext, writeSeq } from '../reads/granted-read.ts';
import type { VisibleChange } from '../store/record-reads.ts';
import { argument, hint } from '../text/hint.ts';
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
import { takeRecord, writeRecordId } from './record-view.ts';
import { type ConnectionNames, checkFields, resolveStreams } from './resolve-stream.ts';

/** A session of changes: from where, up to where, and how far it has come. */
type Place = [since: string, horizon: string, stream: number, key: string | null];

/** The arguments of query_records, as far as changes look at them. */
interface ChangesInput {
  readonly stream: string;
  readonly connection_id?: ConnectionNames;
  readonly changes_since: string;
  readonly fields?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly time_zone?: string | undefined;
  readonly cursor?: string | undefined;
  /** Refused. */
  readonly filter?: unknown;
  readonly sort?: unknown;
  readonly count?: unknown;
  readonly expand?: unknown;
}

/** What changed since a moment, ending with the handle for the next time. One horizon holds for all its pages. */
export async function queryChanges(args: ChangesInput, context: ReadContext): Promise<ReadAnswer> {
  const { reader, cursors } = context;
  if ([args.filter, args.sort, args.count, args.expand].some((argument) => argument !== undefined)) {
    throw new AppError(
      'invalid_argument',
      hint`${argument('changes_since')} goes with fields, limit and cursor only.`,
      {
        hint: hint`Read all changes, or use ${argument('filter')} without ${argument('changes_since')}.`,
      },
    );
  }
  const streams = resolveStreams(reader, args.stream, args.connection_id);
  checkFields(args.fields, streams);
  const clock = readClock(args.time_zone, context);
  const { limit, warnings } = clampLimit(args.limit, DEFAULT_LIMIT, MAX_ROWS);
  const query = [args.stream, args.connection_id];
  const place =
    args.cursor === undefined
      ? await begin(args.changes_since, query, context)
      : await cursors.open<Place>('changes-page', [query, args.changes_since, args.fields], args.cursor);

  const escaped = { characters: 0 };
  const source = makeSource(streams);
  const budget = new Budget();
  takeEnvelope(budget, { source, meta: makeMeta(context, { warnings, clock }) });
  budget.reserveHandle(place);
  const data: unknown[] = [];
  const takeChange = (change: VisibleChange, stream: GrantedStream) => {
    if ('removed' in change) return takeRemoved(stream, change.key, budget);
    const record = showTimes({ stream, key: change.key, record: change.record }, clock, context);
    return takeRecord(record, args.fields, budget, escaped, { must: data.length === 0 });
  };
  let next: Place | undefined = place;
  let room = 0;
  while (next !== undefined && data.length <= limit) {
    const stream = streams[next[2]] as GrantedStream;
    const changes = await reader.changes(stream, {
      since: Number(next[0]),
      horizon: Number(next[1]),
      afterKey: next[3] ?? undefined,
      limit: limit - data.length + 1,
    });
    // The handle will hold the last key shown: room for the longest of them.
    const longest = Math.max(0, ...changes.map((change) => change.key.length));
    if (longest > room) budget.reserveHandle('x'.repeat(longest - room));
    room = Math.max(room, longest);
    let full = false;
    for (const change of changes) {
      const row = data.length < limit ? takeChange(change, stream) : undefined;
      full = row === undefined;
      if (full) break;
      data.push(row);
      next = [next[0], next[1], next[2], change.key];
    }
    if (full) break;
    next = next[2] + 1 < streams.length ? [next[0], next[1], next[2] + 1, null] : undefined;
  }
  const handle =
    next === undefined
      ? { next_changes_since: cursors.seal('changes', query, place[1]) }
      : { next_cursor: cursors.seal('changes-page', [query, args.changes_since, args.fields], next) };
  return {
    body: {
      data,
      source,
      has_more: next !== undefined,
      ...handle,
      meta: makeMeta(context, { warnings, escaped, clock }),
    },
    disclosure: disclose(streams, namedFields(streams, args.fields), data.length),
  };
}

async function begin(since: string, query: unknown, context: ReadContext): Promise<Place> {
  const horizon = writeSeq(await context.reader.horizon());
  if (since === 'beginning') return [writeSeq(0), horizon, 0, null];
  if (since === 'now') return [horizon, horizon, 0, null];
  return [await context.cursors.open<string>('changes', query, since), horizon, 0, null];
}

function takeRemoved(stream: GrantedStream, key: string, budget: Budget) {
  const row = { id: writeRecordId(stream.connection.connection_id, stream.name, key), removed: true };
  return budget.take(row) ? row : undefined;
}
