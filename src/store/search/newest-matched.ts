import { minuteOf, minuteOfRid, streamOf } from '../records/rid.ts';
import type { MatchPart, MeasuredRow } from '../search-reads.ts';
import { NO_TIME } from '../values.ts';
import { compareRows, orderOf } from './match-order.ts';

/** Reads the records that still exist and are visible. */
export type ReadMeasured = (parts: readonly MatchPart[], rids: readonly number[]) => Promise<MeasuredRow[]>;

/** Rows that were read, for later reads of the same search and for searches over unchanged data. */
const measured = new WeakMap<readonly MatchPart[], Map<number, MeasuredRow>>();
/** The number of rows that are cached for the same parts: some megabytes. */
const MAX_CACHED_ROWS = 10_000;

/** Reads the records that still exist and are visible, from the cache if possible. */
async function readCached(
  read: ReadMeasured,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  const before = measured.get(parts);
  const known =
    before === undefined || before.size > MAX_CACHED_ROWS ? new Map<number, MeasuredRow>() : before;
  measured.set(parts, known);
  const fresh = rids.filter((rid) => !known.has(rid));
  if (fresh.length > 0 && parts.length > 0)
    for (const row of await read(parts, fresh)) known.set(row.rid, row);
  return rids.flatMap((rid) => known.get(rid) ?? []);
}

/** The minimum number of records per read. */
const MIN_STEP_RECORDS = 64;

/**
 * Returns the newest of many records, in the order of `newestMatching`. A record is never newer than the minute in its row
 * id, so reading stops when all remaining ids are older than the records found.
 */
export async function readNewestMatched(
  read: ReadMeasured,
  parts: readonly MatchPart[],
  rids: readonly number[],
  limit: number,
): Promise<MeasuredRow[]> {
  const compare = compareRows(parts);
  const timed = new Set(
    parts.filter(({ scope }) => orderOf(scope) === 'time').map(({ scope }) => scope.stream.streamId),
  );
  const newestFirst = rids.filter((rid) => timed.has(streamOf(rid))).sort((a, b) => b - a);
  let best: MeasuredRow[] = [];
  const step = Math.max(MIN_STEP_RECORDS, limit);
  for (let at = 0; at < newestFirst.length; at += step) {
    const last = best[limit - 1];
    if (
      last !== undefined &&
      last.t !== NO_TIME &&
      minuteOf(last.t, last.key) > minuteOfRid(newestFirst[at] as number)
    )
      return best;
    best.push(...(await readCached(read, parts, newestFirst.slice(at, at + step))));
    best = best.sort(compare).slice(0, limit);
  }
  const rest = rids.filter((rid) => !timed.has(streamOf(rid)));
  if (rest.length > 0) best.push(...(await readCached(read, parts, rest)));
  return best.sort(compare).slice(0, limit);
}
