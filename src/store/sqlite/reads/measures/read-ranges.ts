import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { MetricRequest, RangedPart, Total } from '../../../record-reads.ts';
import type { Tables } from '../../tables.ts';
import { columnOf, needsData, whereConditions } from '../conditions-sql.ts';
import { joinData, whereVisible } from '../visible-sql.ts';
import { metricColumns, readTotalRow, type TotalRow } from './metric-sql.ts';
import { measuredColumn } from './read-aggregate.ts';

/**
 * The same number for each of some ranges that may overlap. What meets the other conditions is gone through once and
 * kept while the ranges are measured, so that many ranges cost little more than one.
 */
export async function readRanges(
  db: Kysely<Tables>,
  parts: readonly RangedPart[],
  { metric, adding }: MetricRequest,
): Promise<Total[]> {
  const [first] = parts as [RangedPart];
  const kept = parts.map(
    (part, at) => sql`${nameOf(at)} as materialized (
      select ${part.field === undefined ? sql`1` : measuredColumn(part.scope, part.field)} as v, ${columnOf(part.scope, part.ranged)}
      from facets f ${joinData(needsData(part.conditions))}
      where ${whereConditions(part.scope, part.conditions)} and ${whereVisible(part.scope, 'f')})`,
  );
  const totals = first.ranges.map((_, range) => {
    // The column has its own name in what is kept, so that conditions find it there.
    const rows = parts.map(
      ({ scope, ranges }, at) =>
        sql`select v from ${nameOf(at)} as f where ${whereConditions(scope, ranges[range] ?? [])}`,
    );
    return sql`select ${sql.lit(range)} as range, ${metricColumns(metric, first.field, adding)}, count(*) as records
      from (${sql.join(rows, sql` union all `)})`;
  });
  const { rows } = await sql<TotalRow & { range: number }>`
    with ${sql.join(kept)} ${sql.join(totals, sql` union all `)}`.execute(db);
  return rows.toSorted((a, b) => a.range - b.range).map((row) => readTotalRow(metric, row));
}

function nameOf(at: number): RawBuilder<unknown> {
  return sql.ref(`kept${at}`);
}
