import { isLarge } from '../../large/long-value.ts';
import type { Column } from '../database.ts';
import { encodeJson } from '../json-text.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { countWords } from '../search/word-index.ts';
import { slotNumbers, toSlot } from '../slot-values.ts';
import { sql } from '../sql.ts';
import type { PendingRows, WrittenPast, WrittenVersion } from './batch-rows.ts';
import { addLargeRecords, removeLargeRecords } from './large-records.ts';

type Columns = Record<string, Column>;

/** Writes what a batch has changed. The history comes first, because it is copied from the records. */
export async function writeRows(db: OwnerQueries, streamId: number, rows: PendingRows): Promise<void> {
  await confirmRecords(db, streamId, rows.confirmed);
  await moveToHistory(db, streamId, rows);
  await clearHistory(db, streamId, rows.cleared);
  const gone = [...rows.replaced.keys()];
  if (gone.length > 0)
    await db.run(sql`delete from records where owner_id = ${db.ownerId} and stream_id = ${streamId}
      and key = any(${gone}::text[])`);
  const added = [...rows.records.values()].filter((record) => record !== undefined);
  await addRecords(db, streamId, added);
  await addLargeRecords(db, streamId, rows.largeVersions());
  await writeDeletions(db, streamId, rows);
}

async function confirmRecords(
  db: OwnerQueries,
  streamId: number,
  confirmed: ReadonlyMap<string, number>,
): Promise<void> {
  if (confirmed.size === 0) return;
  await db.run(sql`update records r set emitted_at = c.emitted_at
    from unnest(${[...confirmed.keys()]}::text[], ${[...confirmed.values()]}::int8[]) as c (key, emitted_at)
    where r.owner_id = ${db.ownerId} and r.stream_id = ${streamId} and r.key = c.key`);
}

const slotNames = slotNumbers.flatMap((slot) => [`s${slot}n`, `s${slot}t`]);
const slotList = sql.raw(slotNames.join(', '));

/** Moves stored versions to the history, and adds versions that the batch both wrote and replaced. */
async function moveToHistory(
  db: OwnerQueries,
  streamId: number,
  { replaced, past }: PendingRows,
): Promise<void> {
  if (replaced.size > 0) {
    const [keys, seqs] = [[...replaced.keys()], [...replaced.values()].map(({ toSeq }) => toSeq)];
    await db.run(sql`
      insert into history (owner_id, stream_id, key, from_seq, to_seq, t, emitted_at, data, ${slotList})
      select r.owner_id, r.stream_id, r.key, r.seq, c.seq, r.t, r.emitted_at,
        case when r.key = any(${largeKeys(replaced)}::text[]) then '#' || r.seq else r.data end, ${slotList}
      from unnest(${keys}::text[], ${seqs}::int8[]) as c (key, seq)
      join records r on r.owner_id = ${db.ownerId} and r.stream_id = ${streamId} and r.key = c.key`);
    const large = [...replaced.values()].filter(({ stored }) => isLarge(stored.data));
    await keepLarge(
      db,
      large.map(({ stored }) => stored),
    );
  }
  const kept = past.filter(({ isCleared }) => !isCleared);
  await keepLarge(
    db,
    kept.map(({ version }) => version).filter(({ data }) => isLarge(data)),
  );
  await addPast(db, streamId, past);
}

function largeKeys(replaced: PendingRows['replaced']): string[] {
  return [...replaced].flatMap(([key, { stored }]) => (isLarge(stored.data) ? [key] : []));
}

async function keepLarge(
  db: OwnerQueries,
  versions: readonly { readonly seq: number; readonly data: string }[],
): Promise<void> {
  for (const { seq, data } of versions)
    await db.run(sql`insert into large_past values (${db.ownerId}, ${seq}, ${encodeJson(data)})`);
}

async function addPast(db: OwnerQueries, streamId: number, past: readonly WrittenPast[]): Promise<void> {
  if (past.length === 0) return;
  await db.copyRows('history', {
    stream_id: { type: 'int4', values: past.map(() => streamId) },
    key: { type: 'text', values: past.map(({ version }) => version.key) },
    from_seq: { type: 'int8', values: past.map(({ version }) => version.seq) },
    to_seq: { type: 'int8', values: past.map(({ toSeq }) => toSeq) },
    t: { type: 'int8', values: past.map(({ version }) => version.t) },
    emitted_at: { type: 'int8', values: past.map(({ version }) => version.emitted_at) },
    data: { type: 'text', values: past.map(pastData) },
    ...slotColumns(past.map(({ version, isCleared }) => (isCleared ? undefined : version))),
  });
}

function pastData({ version, isCleared }: WrittenPast): string | null {
  if (isCleared) return null;
  return isLarge(version.data) ? `#${version.seq}` : encodeJson(version.data);
}

/** Slots that no record has are left out. */
function slotColumns(versions: readonly (WrittenVersion | undefined)[]): Columns {
  const columns: Columns = {};
  for (const slot of slotNumbers) {
    const values = versions.map((version) => toSlot(version?.row.slots[slot] ?? null));
    if (values.some(({ n }) => n !== null))
      columns[`s${slot}n`] = { type: 'float8', values: values.map(({ n }) => n) };
    if (values.some(({ t }) => t !== null))
      columns[`s${slot}t`] = { type: 'text', values: values.map(({ t }) => t) };
  }
  return columns;
}

/** Empties the versions of deleted records. What the owner deletes leaves its past too. */
async function clearHistory(
  db: OwnerQueries,
  streamId: number,
  cleared: ReadonlyMap<string, number>,
): Promise<void> {
  if (cleared.size === 0) return;
  const list = sql`unnest(${[...cleared.keys()]}::text[], ${[...cleared.values()]}::int8[]) as c (key, seq)`;
  const emptied = sql.raw(slotNames.map((name) => `${name} = null`).join(', '));
  await db.run(sql`update history h set data = null, ${emptied} from ${list}
    where h.owner_id = ${db.ownerId} and h.stream_id = ${streamId} and h.key = c.key and h.to_seq <= c.seq`);
  await removeLargeRecords(
    db,
    sql`stream_id = ${streamId} and exists (select 1 from ${list} where c.key = large_records.key and large_records.seq < c.seq)`,
  );
}

async function addRecords(
  db: OwnerQueries,
  streamId: number,
  added: readonly WrittenVersion[],
): Promise<void> {
  if (added.length === 0) return;
  await db.copyRows('records', {
    stream_id: { type: 'int4', values: added.map(() => streamId) },
    key: { type: 'text', values: added.map(({ key }) => key) },
    t: { type: 'int8', values: added.map(({ t }) => t) },
    rid: { type: 'int8', values: added.map(({ rid }) => rid) },
    emitted_at: { type: 'int8', values: added.map(({ emitted_at }) => emitted_at) },
    seq: { type: 'int8', values: added.map(({ seq }) => seq) },
    size: { type: 'int4', values: added.map(({ data }) => Buffer.byteLength(data)) },
    word_counts: { type: 'bytea', values: added.map(({ row }) => countWords(row.texts)) },
    data: { type: 'text', values: added.map(({ data }) => encodeJson(data)) },
    ...slotColumns(added),
  });
}

async function writeDeletions(db: OwnerQueries, streamId: number, rows: PendingRows): Promise<void> {
  const [added, removed] = [rows.addedDeletions(), rows.removedDeletions()];
  if (removed.length > 0)
    await db.run(sql`delete from deletions where owner_id = ${db.ownerId} and stream_id = ${streamId}
      and key = any(${removed}::text[])`);
  if (added.length === 0) return;
  const [emitted, seqs] = [added.map(([, one]) => one.emittedAt), added.map(([, one]) => one.seq)];
  await db.run(sql`insert into deletions (owner_id, stream_id, key, emitted_at, seq)
    select ${db.ownerId}::int4, ${streamId}::int4, * from unnest(
      ${added.map(([key]) => key)}::text[], ${emitted}::int8[], ${seqs}::int8[])
    on conflict (owner_id, stream_id, key) do update set emitted_at = excluded.emitted_at, seq = excluded.seq`);
}

/** Adds to the number of records of each day. */
export async function addDays(
  db: OwnerQueries,
  streamId: number,
  days: ReadonlyMap<number, number>,
): Promise<void> {
  const changed = [...days].filter(([, by]) => by !== 0);
  if (changed.length === 0) return;
  await db.run(sql`insert into days (owner_id, stream_id, day, n)
    select ${db.ownerId}::int4, ${streamId}::int4, * from unnest(
      ${changed.map(([day]) => day)}::int8[], ${changed.map(([, by]) => by)}::int8[])
    on conflict (owner_id, stream_id, day) do update set n = days.n + excluded.n`);
}
