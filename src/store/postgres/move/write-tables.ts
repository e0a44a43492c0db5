import type { Row } from '../../move/move-stores.ts';
import { isMovedSetting, type MovedTable } from '../../move/tables.ts';
import type { TextChange, Texts } from '../../postings/collect-words.ts';
import { recordTexts } from '../../postings/record-texts.ts';
import { SLOT_COUNT, type SlotPlan } from '../../scope.ts';
import type { Value } from '../../values.ts';
import type { Column, WriteDatabase } from '../database.ts';
import { encodeJson } from '../json-text.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { countWords, type WordIndex } from '../search/word-index.ts';
import { slotNumbers, toSlot } from '../slot-values.ts';
import { sql } from '../sql.ts';

type Columns = Record<string, Column>;

const columnTypes = { integer: 'int8', real: 'float8', text: 'text', json: 'text' } as const;

/** Writes rows of a table, as part of the current transaction. */
export async function writeRows(
  db: WriteDatabase,
  words: WordIndex,
  table: MovedTable,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = { ...plainColumns(table, rows), ...(table.hasSlots ? slotColumns(rows) : {}) };
  if (table.name !== 'records') return db.copyRows(table.name, columns);
  const plans = await readPlans(db);
  const [ridAt, streamAt, dataAt] = ['rid', 'stream_id', 'data'].map((name) =>
    Object.keys(table.columns).indexOf(name),
  ) as [number, number, number];
  const texts = rows.map((row) =>
    recordTexts(plans.get(row[streamAt] as number) ?? {}, row[dataAt] as string),
  );
  await db.copyRows('records', {
    ...columns,
    size: { type: 'int4', values: rows.map((row) => Buffer.byteLength(row[dataAt] as string)) },
    word_counts: { type: 'bytea', values: texts.map(countWords) },
  });
  const changes = new Map<number, TextChange[]>();
  rows.forEach((row, index) => {
    const after = texts[index] as Texts;
    if (after.every((text) => text === '')) return;
    const streamId = row[streamAt] as number;
    const own = changes.get(streamId) ?? [];
    changes.set(streamId, own);
    own.push({ rid: row[ridAt] as number, before: [], after });
  });
  for (const [streamId, own] of changes) await words.write(streamId, own);
}

function plainColumns(table: MovedTable, rows: readonly Row[]): Columns {
  const columns: Columns = {};
  for (const [at, [name, type]] of Object.entries(table.columns).entries()) {
    const convert = (value: Value) => (type === 'json' && value !== null ? encodeJson(String(value)) : value);
    columns[name] = { type: columnTypes[type], values: rows.map((row) => convert(row[at] ?? null)) };
  }
  return columns;
}

/** Slots that no row has are left out. */
function slotColumns(rows: readonly Row[]): Columns {
  const columns: Columns = {};
  for (const slot of slotNumbers) {
    const values = rows.map((row) => toSlot(row[row.length - SLOT_COUNT + slot] ?? null));
    if (values.some(({ n }) => n !== null))
      columns[`s${slot}n`] = { type: 'float8', values: values.map(({ n }) => n) };
    if (values.some(({ t }) => t !== null))
      columns[`s${slot}t`] = { type: 'text', values: values.map(({ t }) => t) };
  }
  return columns;
}

async function readPlans(db: OwnerQueries): Promise<Map<number, Partial<SlotPlan>>> {
  const rows = await db.query<{ stream_id: number; plan: string }>(
    sql`select stream_id, plan from streams where owner_id = ${db.ownerId}`,
  );
  return new Map(rows.map(({ stream_id, plan }) => [stream_id, JSON.parse(plan) as Partial<SlotPlan>]));
}

/** Replaces the settings or the counters. Entries of the audit are numbered after those that were moved. */
export async function replaceRows(db: OwnerQueries, table: MovedTable, rows: readonly Row[]): Promise<void> {
  const owner = db.ownerId;
  if (table.name === 'settings') {
    const stored = await db.query<{ name: string }>(sql`select name from settings where owner_id = ${owner}`);
    const names = stored.map(({ name }) => name).filter(isMovedSetting);
    await db.run(sql`delete from settings where owner_id = ${owner} and name = any(${names}::text[])`);
    return db.copyRows('settings', plainColumns(table, rows));
  }
  for (const [name, value] of rows)
    await db.run(
      sql`update counters set value = ${value as number} where owner_id = ${owner} and name = ${name as string}`,
    );
  for (const log of ['audit', 'events'])
    await db.run(sql`update counters set value = (
        select coalesce(max(id), 0) from ${sql.raw(log)} where owner_id = ${owner})
      where owner_id = ${owner} and name = ${log}`);
}
