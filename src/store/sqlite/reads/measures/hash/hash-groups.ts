import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { GroupColumn, MeasuredPart, MetricRequest, TimeParts } from '../../../../record-reads.ts';
import type { Value } from '../../../../values.ts';
import type { Tables } from '../../../tables.ts';
import { relatedValue, selectGrouped } from '../select-parts.ts';
import { NotHashable } from './accumulators.ts';
import { GroupTable, groupFunction, takeTable } from './group-table.ts';

type Related = GroupColumn & { kind: 'related' };

/** Returns the groups of all parts; undefined if they cannot be grouped in memory. */
export async function hashGroups(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, time }: Pick<MetricRequest, 'metric'> & { readonly time?: TimeParts },
): Promise<GroupTable | undefined> {
  const columns = parts[0]?.groupBy.length ?? 0;
  const isRelated = parts.some(({ groupBy }) => groupBy.some(({ kind }) => kind === 'related'));
  return unlessImpossible(async () => {
    if (!isRelated) return fillTable(db, metric, columns, selectGrouped(parts, time));
    const all = new GroupTable(metric);
    // The same key can refer to a different record in each part.
    for (const part of parts) {
      const byKey = { ...part, groupBy: part.groupBy.map(toKeyColumn) };
      const table = await fillTable(db, metric, columns, selectGrouped([byKey], time));
      await addRelated(db, all, table, part.groupBy);
    }
    return all;
  });
}

/** Returns the groups of rows with columns v and g0. */
export function hashRows(
  db: Kysely<Tables>,
  { metric }: Pick<MetricRequest, 'metric'>,
  rows: RawBuilder<unknown>,
): Promise<GroupTable | undefined> {
  return unlessImpossible(() => fillTable(db, metric, 1, rows));
}

async function unlessImpossible(group: () => Promise<GroupTable>): Promise<GroupTable | undefined> {
  try {
    return await group();
  } catch (error) {
    if (error instanceof NotHashable) return undefined;
    throw error;
  }
}

async function fillTable(
  db: Kysely<Tables>,
  metric: MetricRequest['metric'],
  columns: number,
  rows: RawBuilder<unknown>,
): Promise<GroupTable> {
  const names = Array.from({ length: columns }, (_, index) => sql.ref(`g${index}`));
  const found = await sql<{ number: number }>`
    select ${sql.raw(groupFunction(metric))}(v, ${sql.join(names)}) as number from (${rows})`.execute(db);
  return takeTable(found.rows[0]?.number ?? 0);
}

function toKeyColumn(column: GroupColumn): GroupColumn {
  return column.kind === 'related' ? { kind: 'own', field: column.key } : column;
}

/** Adds groups, with each key replaced by the value of its related record, which is looked up once and not for every row. */
async function addRelated(
  db: Kysely<Tables>,
  all: GroupTable,
  byKey: GroupTable,
  groupBy: readonly GroupColumn[],
): Promise<void> {
  const groups = [...byKey];
  const values = await Promise.all(
    groupBy.map((column, at) =>
      column.kind === 'related'
        ? readRelated(db, column, new Set(groups.map(({ by }) => by[at] ?? null)))
        : undefined,
    ),
  );
  for (const { by, rows } of groups)
    all.addGroup(
      by.map((key, at) => (values[at] === undefined ? key : (values[at].get(key) ?? null))),
      rows,
    );
}

async function readRelated(
  db: Kysely<Tables>,
  column: Related,
  keys: ReadonlySet<Value>,
): Promise<Map<Value, Value>> {
  const texts = [...keys].filter((key) => key !== null);
  // SQLite compares numbers with keys by its own rules.
  if (!texts.every((key) => typeof key === 'string' && !key.includes('\0'))) throw new NotHashable('a key');
  const { rows } = await sql<{ key: string; value: Value }>`
    select j.value as key, ${relatedValue(column, sql.ref('j.value'))} as value
    from json_each(${JSON.stringify(texts)}) j`.execute(db);
  return new Map(rows.map(({ key, value }) => [key, value]));
}
