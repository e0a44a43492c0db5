import { AppError } from '../errors.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { disclose, namedFields, type ReadAnswer, type ReadContext, writeSeq } from '../reads/granted-read.ts';
import type { VisibleChange } from '../store/record-reads.ts';
import { argument, hint } from '../text/hint.ts';
import { Budget, makeMeta, makeSource } from './envelope.ts';
import type { QueryCall, QueryInput } from './query-records.ts';
import { idOf, showTimes, takeRecord } from './record-view.ts';

/** The content of a cursor: the range of change numbers, and the stream and key of the last change shown. */
type Position = [since: string, horizon: string, stream: number, key: string | null];

/** Refuses arguments that do not go together with `changes_since`. */
export function checkChangesInput({ filter, sort, count, expand }: QueryInput): void {
  if ([filter, sort, count, expand].every((one) => one === undefined)) return;
  throw new AppError(
    'invalid_argument',
    hint`${argument('changes_since')} goes with fields, limit and cursor only.`,
    { hint: hint`Read all changes, or use ${argument('filter')} without ${argument('changes_since')}.` },
  );
}

/** Lists changes since a moment. The last page returns the next `changes_since`. All pages share one horizon. */
export async function queryChanges(call: QueryCall, changesSince: string): Promise<ReadAnswer> {
  const { args, streams, clock, limit, warnings, context } = call;
  const { cursors } = context;
  const query = [args.stream, args.connection_id];
  const pageQuery = [query, changesSince, args.fields];
  const start =
    args.cursor === undefined
      ? await begin(changesSince, query, context)
      : await cursors.open<Position>('changes-page', pageQuery, args.cursor);

  const escaped = { characters: 0 };
  const source = makeSource(streams);
  const budget = new Budget();
  budget.takeEnvelope({ source, meta: makeMeta(context, { warnings, clock }) });
  budget.reserveCursor(start);
  const data: unknown[] = [];
  const take = (change: VisibleChange, stream: GrantedStream) => {
    if (data.length >= limit) return false;
    const row =
      'removed' in change
        ? takeRemoved(idOf({ stream, key: change.key }), budget)
        : takeRecord(showTimes({ stream, key: change.key, record: change.record }, clock, context), {
            ...{ fields: args.fields, budget, escaped, mustFit: data.length === 0 },
          });
    if (row !== undefined) data.push(row);
    return row !== undefined;
  };
  let next: Position | undefined = start;
  let reserved = 0;
  while (next !== undefined && data.length <= limit) {
    const [since, horizon, at, afterKey]: Position = next;
    const stream = streams[at] as GrantedStream;
    const changes = await context.reader.changes(stream, {
      since: Number(since),
      horizon: Number(horizon),
      afterKey: afterKey ?? undefined,
      limit: limit - data.length + 1,
    });
    // The cursor may hold the longest of the keys.
    const longest = Math.max(0, ...changes.map((change) => change.key.length));
    if (longest > reserved) budget.reserveCursor('x'.repeat(longest - reserved));
    reserved = Math.max(reserved, longest);
    const untaken = changes.findIndex((change) => !take(change, stream));
    if (untaken !== -1) {
      next = [since, horizon, at, changes[untaken - 1]?.key ?? afterKey];
      break;
    }
    next = at + 1 < streams.length ? [since, horizon, at + 1, null] : undefined;
  }
  return {
    body: {
      data,
      source,
      has_more: next !== undefined,
      ...(next === undefined
        ? { next_changes_since: cursors.seal('changes', query, start[1]) }
        : { next_cursor: cursors.seal('changes-page', pageQuery, next) }),
      meta: makeMeta(context, { warnings, escaped, clock }),
    },
    disclosure: disclose(streams, namedFields(streams, args.fields), data.length),
  };
}

async function begin(since: string, query: unknown, { reader, cursors }: ReadContext): Promise<Position> {
  const horizon = writeSeq(await reader.horizon());
  if (since === 'beginning') return [writeSeq(0), horizon, 0, null];
  if (since === 'now') return [horizon, horizon, 0, null];
  return [await cursors.open<string>('changes', query, since), horizon, 0, null];
}

function takeRemoved(id: string, budget: Budget) {
  const row = { id, removed: true };
  return budget.take(row) ? row : undefined;
}
