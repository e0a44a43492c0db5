import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchPart, MeasuredRow } from '../../../search-reads.ts';
import { NO_TIME } from '../../../values.ts';
import { minuteOf, minuteOfRid, streamOf } from '../../rid.ts';
import type { Tables } from '../../tables.ts';
import { columnsOf, joinFacets, readNumbers, whereAnyPart } from './match-sql.ts';
import { compareRows, orderOf } from './read-matches.ts';

/** Rows that were read, for later reads of the same search and for searches over unchanged data. */
const measured = new WeakMap<readonly MatchPart[], Map<number, MeasuredRow>>();
/** The number of rows that are cached for the same parts: some megabytes. */
const MAX_CACHED_ROWS = 10_000;

/** Returns those of the records that exist and are visible, from the cache if possible. */
async function readMeasured(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  const before = measured.get(parts);
  const known =
    before === undefined || before.size > MAX_CACHED_ROWS ? new Map<number, MeasuredRow>() : before;
  measured.set(parts, known);
  const fresh = rids.filter((rid) => !known.has(rid));
  if (fresh.length > 0) for (const row of await measure(db, parts, fresh)) known.set(row.rid, row);
  return rids.flatMap((rid) => known.get(rid) ?? []);
}

async function measure(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  if (parts.length === 0) return [];
  // As JSON lists: hundreds of rows cost twice as much.
  const { rows } = await sql<{ rids: string; keys: string; times: string; bytes: string; sizes: string }>`
    select json_group_array(r.rid) as rids, json_group_array(r.key) as keys, json_group_array(r.t) as times,
      json_group_array(octet_length(r.data)) as bytes, json_group_array(hex(d.sz)) as sizes
    from json_each(${JSON.stringify(rids)}) j cross join records r on r.rid = j.value
      left join texts_docsize d on d.id = r.rid
      ${joinFacets(parts)}
    where ${whereAnyPart(parts, 'r.rid')}`.execute(db);
  const visible = columnsOf(parts);
  await yieldToEventLoop();
  const [found] = rows;
  if (found === undefined) return [];
  const keys = JSON.parse(found.keys) as string[];
  const times = JSON.parse(found.times) as number[];
  const bytes = readNumbers(found.bytes);
  const sizes = JSON.parse(found.sizes) as string[];
  return readNumbers(found.rids).map((rid, at) => {
    const stream_id = streamOf(rid);
    return {
      rid,
      stream_id,
      key: keys[at] as string,
      t: times[at] as number,
      size: bytes[at] as number,
      words: addSizes(sizes[at] as string, visible.get(stream_id)),
    };
  });
}

/**
 * Returns the number of words in the visible columns. FTS5 has no function for it, and counting would read all texts.
 * The index stores a varint per column: seven bits a byte, the highest bit set if another byte follows.
 */
function addSizes(hex: string, visible: ReadonlySet<number> | undefined): number {
  let total = 0;
  let value = 0;
  let column = 0;
  for (let at = 0; at < hex.length; at += 2) {
    const byte = Number.parseInt(hex.slice(at, at + 2), 16);
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    if (visible?.has(column) === true) total += value;
    column += 1;
    value = 0;
  }
  return total;
}

/** The least number of records that are read at once. */
const MIN_STEP_RECORDS = 64;

/**
 * Returns the newest of many records, in the order of readMatches. The minute in a row id is never earlier than the
 * record's time, so few records have to be read.
 */
export async function readNewestMatched(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
  limit: number,
): Promise<MeasuredRow[]> {
  const compare = compareRows(parts);
  const timed = new Set(
    parts.filter(({ scope }) => orderOf(scope) === 'time').map(({ scope }) => scope.stream.streamId),
  );
  const later = rids.filter((rid) => timed.has(streamOf(rid))).sort((a, b) => b - a);
  let best: MeasuredRow[] = [];
  const step = Math.max(MIN_STEP_RECORDS, limit);
  for (let at = 0; at < later.length; at += step) {
    const last = best[limit - 1];
    if (
      last !== undefined &&
      last.t !== NO_TIME &&
      minuteOf(last.t, last.key) > minuteOfRid(later[at] as number)
    )
      return best;
    best.push(...(await readMeasured(db, parts, later.slice(at, at + step))));
    best = best.sort(compare).slice(0, limit);
  }
  const rest = rids.filter((rid) => !timed.has(streamOf(rid)));
  if (rest.length > 0) best.push(...(await readMeasured(db, parts, rest)));
  return best.sort(compare).slice(0, limit);
}
