import { type RawBuilder, sql } from 'kysely';

/**
 * Every read within the stretches of time, each with the number of its stretch, in the columns that pages count
 * and filter by: the reads that are kept, and those of which only counts per day are left. Of the latter it is
 * not known any more which connections they named.
 */
export function readsWithin(
  stretches: readonly (readonly [from: string, to: string])[],
): RawBuilder<unknown> {
  const list = sql`json_each(${JSON.stringify(stretches)}) s`;
  // Cross joins and the index by name: each stretch is one range of time, which by grant would be one scan each.
  return sql`(
    select s.key as stretch, client, grant_id, surface, tool, connection_id, at, outcome, records, tokens_out,
      1 as calls
    from ${list} cross join audit indexed by audit_at on at >= s.value ->> 0 and at < s.value ->> 1
    union all
    select s.key, client, nullif(grant_id, ''), surface, tool, null, day, outcome, records, tokens_out, calls
    from ${list} cross join usage_days on day >= s.value ->> 0 and day < s.value ->> 1
  )`;
}

/** Stretches of time from the edges between them, as the audit writes times; such texts sort as the times do. */
export function toStretches(edges: readonly number[]): [from: string, to: string][] {
  const texts = edges.map((edge) => new Date(edge).toISOString());
  return texts.slice(0, -1).map((from, i) => [from, texts[i + 1] as string]);
}
