import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import { streamOf } from '../../../records/rid.ts';
import type { MatchPart, MeasuredRow } from '../../../search-reads.ts';
import type { Tables } from '../../tables.ts';
import { createTemplate, FIRST, readRows } from '../../template.ts';
import { columnsOf, joinFacets, readNumbers, whereAnyPart } from './match-sql.ts';

type Lists = Record<'rids' | 'keys' | 'times' | 'bytes' | 'sizes', string>;

/** As JSON lists: hundreds of rows cost twice as much. */
const selectMeasured = createTemplate(
  (parts: readonly MatchPart[]) => sql`
    select json_group_array(r.rid) as rids, json_group_array(r.key) as keys, json_group_array(r.t) as times,
      json_group_array(octet_length(r.data)) as bytes, json_group_array(hex(d.sz)) as sizes
    from json_each(${FIRST}) j cross join records r on r.rid = j.value
      left join texts_docsize d on d.id = r.rid
      ${joinFacets(parts)}
    where ${whereAnyPart(parts, 'r.rid')}`,
);

/** Reads those of the records that exist and are visible, with the number of words in their granted texts. */
export async function readMeasured(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  const [found] = readRows<Lists>(db, selectMeasured(parts, JSON.stringify(rids)));
  const visible = columnsOf(parts);
  await yieldToEventLoop();
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
