import type { RowKey, TableReader } from '../../move/move-stores.ts';
import { type ColumnType, type MovedTable, movedCounters } from '../../move/tables.ts';
import type { Value } from '../../values.ts';
import type { Queries } from '../database.ts';
import { decodeJson } from '../json-text.ts';
import { fromSlot, slotNumbers } from '../slot-values.ts';
import { type Sql, sql } from '../sql.ts';
import { digestWords } from './digest-words.ts';
import { readSlotKinds, type SlotKinds } from './slot-kinds.ts';

/** Records are read until they have this size. */
const MAX_PAGE_BYTES = 8 * 2 ** 20;

/** Returns a reader of an owner's tables. The queries belong to one snapshot. */
export function createTableReader(queries: Queries, ownerId: number): TableReader {
  let kinds: Promise<SlotKinds> | undefined;
  return {
    async count(table) {
      const [row] = await queries.query<{ n: number }>(
        sql`select count(*) as n from ${sql.raw(table.name)} where owner_id = ${ownerId}`,
      );
      return row?.n ?? 0;
    },
    async readPage(table, after) {
      kinds ??= readSlotKinds({ query: queries.query, ownerId });
      const rows = await queries.query<Record<string, Value>>(selectPage(table, ownerId, after));
      const known = await kinds;
      return rows.map((row) => toRow(table, row, known));
    },
    digestWords: (digest, streamIds, onWord) =>
      digestWords({ queries, ownerId, streamIds: [...streamIds] }, digest, onWord),
  };
}

function selectPage(table: MovedTable, ownerId: number, after: RowKey | undefined): Sql {
  const names = Object.keys(table.columns);
  const slots = table.hasSlots ? slotNumbers.flatMap((slot) => [`s${slot}n`, `s${slot}t`]) : [];
  const key = sql.raw(table.key.join(', '));
  const from = sql.raw(table.name);
  const conditions = [sql`owner_id = ${ownerId}`];
  if (after !== undefined) conditions.push(isAfter(table, after));
  if (table.name === 'records') conditions.push(endsPage(ownerId, after, table.pageRows));
  if (table.name === 'counters') conditions.push(sql`name = any(${movedCounters}::text[])`);
  return sql`select ${sql.raw([...names, ...slots].join(', '))} from ${from}
    where ${sql.join(conditions, sql` and `)} order by ${key} limit ${table.pageRows}`;
}

/** Returns the condition that rows come after a key. */
export function isAfter(table: MovedTable, after: RowKey): Sql {
  const values = table.key.map((column, at) => {
    const type = table.columns[column] as ColumnType;
    return sql`${after[at] ?? null}::${sql.raw(type === 'integer' ? 'int8' : 'text')}`;
  });
  return sql`(${sql.raw(table.key.join(', '))}) > (${sql.join(values)})`;
}

/** Ends a page of records before it is too large, but not before its first record. */
function endsPage(ownerId: number, after: RowKey | undefined, limit: number): Sql {
  const last = after?.[0] ?? -1;
  return sql`rid <= (select max(rid) from (
    select rid, sum(size) over (order by rid) - size as before from (
      select rid, size from records where owner_id = ${ownerId} and rid > ${last} order by rid limit ${limit}) n) p
    where before < ${MAX_PAGE_BYTES})`;
}

function toRow(table: MovedTable, row: Readonly<Record<string, Value>>, kinds: SlotKinds): Value[] {
  const values = Object.entries(table.columns).map(([name, type]) => {
    const value = row[name] ?? null;
    return type === 'json' && typeof value === 'string' ? decodeJson(value) : value;
  });
  if (!table.hasSlots) return values;
  const streamKinds = kinds.get(row.stream_id as number);
  for (const slot of slotNumbers) {
    const [n, t] = [row[`s${slot}n`], row[`s${slot}t`]];
    values.push(fromSlot(streamKinds?.[slot], { n: n as number | null, t: t as string | null }));
  }
  return values;
}
