import { type Kysely, type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchTerms } from '../../../../words/match-terms.ts';
import { minuteOf, minuteOfRid, minuteStart } from '../../../records/rid.ts';
import { type Compare, mergeGroups, type PartGroup } from '../../../search/match-order.ts';
import type { MatchedRow, MatchPart } from '../../../search-reads.ts';
import { NO_TIME } from '../../../values.ts';
import { unlessInterrupted } from '../../interrupt.ts';
import type { Tables } from '../../tables.ts';
import { createTemplate, FIRST, FOURTH, readRows, SECOND, THIRD } from '../../template.ts';
import { joinFacets, whereAnyPart, writeExpression } from './match-sql.ts';

/**
 * Returns up to `limit` visible records that match in granted columns: the newest by a granted time, then those without
 * one; ties by part, then by key. The ranking of the index is not used, because it counts hidden records.
 */
export async function readMatches(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  limit: number,
): Promise<MatchedRow[]> {
  return mergeGroups(parts, limit, async (group, compare) => {
    const expression = writeExpression(terms, group.columns);
    return group.order === 'key'
      ? readRows<MatchedRow>(db, selectByKey(group, expression, limit))
      : scanBack(db, group, expression, limit, compare);
  });
}

/** Selects matching records of a group by stream and key. */
const selectByKey = createTemplate((group: PartGroup) => {
  // Sorts streams as in the request: stream ids would reveal the order of creation.
  const positions = group.parts.map(({ scope }, at) => sql`when ${scope.stream.streamId} then ${at}`);
  return sql`${selectMatches(group)}
    order by case r.stream_id ${sql.join(positions, sql` `)} end, r.key limit ${SECOND}`;
});

/** Selects matching records of a group with a row id in a range, the highest first. */
const selectBackwards = createTemplate(
  // Large numbers are bound as floats, and the index ignores bounds that are floats.
  (group: PartGroup) => sql`${selectMatches(group)}
    and x.rowid < cast(${THIRD} as integer) and x.rowid >= cast(${FOURTH} as integer)
    order by x.rowid desc limit ${SECOND}`,
);

function selectMatches({ parts }: PartGroup): RawBuilder<unknown> {
  return sql`
    select r.rid as rid, r.stream_id as stream_id, r.key as key, r.t as t, octet_length(r.data) as size
    from texts x join records r on r.rid = x.rowid
      ${joinFacets(parts)}
    where x.texts match ${FIRST} and ${unlessInterrupted(sql.ref('x.rowid'))}
      and ${whereAnyPart(parts, 'x.rowid')}`;
}

/** The maximum number of rows that a step grows to. */
const MAX_STEP_ROWS = 4_096;

/**
 * Scans the index backwards by the minutes in row ids, whole minutes at a time. If a minute is full, a
 * record gets a later one, never an earlier one. So unread records are older than the scanned minutes.
 */
async function scanBack(
  db: Kysely<Tables>,
  group: PartGroup,
  expression: string,
  limit: number,
  compare: Compare,
): Promise<MatchedRow[]> {
  let best: MatchedRow[] = [];
  const timeless: MatchedRow[] = [];
  /** Reads rows with `from` <= row id < `below`, the highest first. Returns the row id that was reached. */
  const read = async (below: number, from: number, maxRows: number): Promise<number> => {
    const rows = readRows<MatchedRow>(db, selectBackwards(group, expression, maxRows, below, from));
    for (const row of rows) {
      if (row.t !== NO_TIME) best.push(row);
      else if (canAdd(timeless, limit, row)) timeless.push(row);
    }
    best = best.sort(compare).slice(0, limit);
    await yieldToEventLoop();
    return rows.length < maxRows ? from : (rows.at(-1) as MatchedRow).rid;
  };
  let reached = Number.MAX_SAFE_INTEGER;
  for (let step = limit; reached > 0; step = Math.min(MAX_STEP_ROWS, step * 2)) {
    reached = await read(reached, 0, step);
    const minute = minuteOfRid(reached);
    const start = minuteStart(minute);
    while (reached > start) reached = await read(reached, start, MAX_STEP_ROWS);
    const last = best[limit - 1];
    if (last !== undefined && minuteOf(last.t, last.key) >= minute) break;
    if (group.order === 'rid' && timeless.length >= limit) break;
  }
  return [...best, ...timeless];
}

/**
 * Returns whether a record without a time is needed. Row ids within a minute are in the order of writing, so the last
 * minute is completed.
 */
function canAdd(found: readonly MatchedRow[], limit: number, { rid }: { rid: number }): boolean {
  const last = found[limit - 1];
  return last === undefined || minuteOfRid(last.rid) === minuteOfRid(rid);
}
