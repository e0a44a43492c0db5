import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchPart, MeasuredRow } from '../../../search-reads.ts';
import { NO_TIME } from '../../../values.ts';
import { minuteOf, minuteOfRid, streamOf } from '../../rid.ts';
import type { Tables } from '../../tables.ts';
import { compareRows, orderOf, whereAnyPart } from './read-matches.ts';
import { readNumbers } from './read-numbers.ts';
import { columnsOf } from './visible-rows.ts';

const measured = new WeakMap<readonly MatchPart[], Map<number, MeasuredRow>>();
/** Rows that are kept for one choice of streams: some megabytes. */
const MAX_MEASURED = 10_000;

/**
 * Those of the records that are there and visible. What was read once is not read again, by the same search or, as long
 * as nothing changes, by the next ones.
 */
async function readMeasured(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  const kept = measured.get(parts);
  const known = kept === undefined || kept.size > MAX_MEASURED ? new Map<number, MeasuredRow>() : kept;
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
  const filtered = parts.some(({ conditions }) => conditions.length > 0);
  // As lists too: hundreds of rows with bytes in them cost twice as much.
  const { rows } = await sql<{ rids: string; keys: string; times: string; bytes: string; sizes: string }>`
    select json_group_array(r.rid) as rids, json_group_array(r.key) as keys, json_group_array(r.t) as times,
      json_group_array(octet_length(r.data)) as bytes, json_group_array(hex(d.sz)) as sizes
    from json_each(${JSON.stringify(rids)}) j cross join records r on r.rid = j.value
      left join texts_docsize d on d.id = r.rid
      ${filtered ? sql`join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key` : sql``}
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
 * How many words the visible columns have together. Decoded here, because FTS5 has no function for it and counting the
 * words of the texts would read all of them. The index keeps a number for each column: seven bits a byte, the
 * highest bit saying that another byte follows.
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

/** So many records at least are read at once. */
const STEP = 64;

/**
 * The newest of many records, by a time that the reader may see and after them those without, of equals by place and
 * key: the order of readMatches. A row id tells a minute that its record is not later than, so few have to be read.
 */
export async function readNewestMatched(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
  most: number,
): Promise<MeasuredRow[]> {
  const compare = compareRows(parts);
  const timed = new Set(
    parts.filter(({ scope }) => orderOf(scope) === 'time').map(({ scope }) => scope.stream.streamId),
  );
  const later = rids.filter((rid) => timed.has(streamOf(rid))).sort((a, b) => b - a);
  let best: MeasuredRow[] = [];
  const step = Math.max(STEP, most);
  for (let at = 0; at < later.length; at += step) {
    const last = best[most - 1];
    if (
      last !== undefined &&
      last.t !== NO_TIME &&
      minuteOf(last.t, last.key) > minuteOfRid(later[at] as number)
    )
      return best;
    best.push(...(await readMeasured(db, parts, later.slice(at, at + step))));
    best = best.sort(compare).slice(0, most);
  }
  const rest = rids.filter((rid) => !timed.has(streamOf(rid)));
  if (rest.length > 0) best.push(...(await readMeasured(db, parts, rest)));
  return best.sort(compare).slice(0, most);
}
