import type Database from 'better-sqlite3';
import type { BatchStore, Change, Outcome } from '../../batches.ts';
import { isLarge } from '../../large/long-value.ts';
import { applyChanges, type BatchRows, type Put, type StoredRecord } from '../../records/apply-changes.ts';
import { canKeepRid, ridRanges } from '../../records/rid.ts';
import { createPlannedLayout, type createRowLayout, type IndexRow } from '../../records/slots.ts';
import { TEXT_COLUMNS } from '../../scope.ts';
import { addLargeRecord, pastData, removeLargeRecord } from '../large/large-records.ts';
import { slotColumns } from '../tables.ts';
import { Lexicon } from './lexicon.ts';

const slotList = slotColumns.join(', ');
const slotMarks = slotColumns.map(() => '?').join(', ');
const textList = Array.from({ length: TEXT_COLUMNS }, (_, i) => `c${i}`).join(', ');
const textMarks = Array.from({ length: TEXT_COLUMNS }, () => '?').join(', ');

/** Applies batches over one connection, with prepared statements: this is the inner loop of an import. */
export interface Applier {
  apply(streamId: number, changes: readonly Change[], holdsChanges: boolean): Outcome[];
  readSeq(): number;
  /** Must be called after each batch. `stored` is true if the batch was committed. */
  afterTransaction(stored: boolean): void;
}

/** One per connection: preparing the statements costs more than a small batch. */
const appliers = new WeakMap<Database.Database, Applier>();

export function getApplier(raw: Database.Database): Applier {
  const known = appliers.get(raw);
  if (known !== undefined) return known;
  const applier = createApplier(raw);
  appliers.set(raw, applier);
  return applier;
}

function readLayout(run: Statements, streamId: number) {
  return createPlannedLayout(run.readPlan.get(streamId) as string | undefined);
}

/** Clears the cache of stored words. Called after words were erased. */
export function clearWordCache(raw: Database.Database): void {
  appliers.delete(raw);
}

function createApplier(raw: Database.Database): Applier {
  const run = prepareStatements(raw);
  const lexicon = new Lexicon(raw);
  // Texts are indexed at the end of a batch, by row id: the index flushes whenever an id is lower than the last.
  const texts = new Map<number, string[]>();
  const apply: Applier['apply'] = (streamId, changes, holdsChanges) => {
    texts.clear();
    const rows = createRows(streamId, readLayout(run, streamId));
    const applied = applyChanges(rows, changes, run.readSeq.get() as number, holdsChanges);
    for (const rid of [...texts.keys()].sort((a, b) => a - b)) {
      const columns = texts.get(rid) as string[];
      run.addText.run(rid, ...columns);
      lexicon.addTexts(columns);
    }
    lexicon.write();
    for (const [day, by] of applied.days) if (by !== 0) run.addDay.run(streamId, day, by);
    run.writeSeq.run(applied.seq);
    return applied.outcomes;
  };

  function createRows(streamId: number, layOut: ReturnType<typeof createRowLayout>): BatchRows {
    return {
      find: (key) => run.find.get(streamId, key) as StoredRecord | undefined,
      findDeletion: (key) => run.findDeletion.get(streamId, key) as number | undefined,
      hasPastVersion: (key, emittedAt, data) =>
        run.findPast.get(streamId, key, emittedAt, data) !== undefined,
      confirm: (_, stored, emittedAt) => run.confirm.run(emittedAt, stored.rid),
      moveToHistory(key, stored, seq) {
        run.moveToHistory.run(seq, streamId, stored.t, key);
        if (isLarge(stored.data)) run.keepLargePast.run(stored.seq, stored.data);
      },
      clearHistory(key) {
        run.clearHistory.run(streamId, key);
        removeLargeRecord(raw, streamId, key);
      },
      addDeletion: (key, emittedAt, seq) => run.addDeletion.run(streamId, key, emittedAt, seq),
      removeDeletion: (key) => run.removeDeletion.run(streamId, key),
      remove(key, stored) {
        if (!texts.delete(stored.rid)) run.removeText.run(stored.rid);
        run.removeFacets.run(streamId, stored.t, key);
        run.removeRecord.run(stored.rid);
      },
      add: (put, seq, stored) => addRecord(streamId, put, layOut(put), seq, stored),
    };
  }

  function addRecord(
    streamId: number,
    change: Put,
    row: IndexRow,
    seq: number,
    stored: StoredRecord | undefined,
  ): void {
    const rid = canKeepRid(stored, change) ? stored.rid : findFreeRid(run, streamId, change);
    run.addRecord.run(rid, streamId, change.key, change.t, change.emittedAt, seq, change.data);
    run.addFacets.run(streamId, change.t, change.key, rid, ...row.slots);
    if (isLarge(change.data)) addLargeRecord(raw, streamId, { seq, key: change.key }, change.data);
    if (row.hasTexts) texts.set(rid, row.texts);
  }

  return {
    apply,
    readSeq: () => run.readSeq.get() as number,
    afterTransaction: (stored) => lexicon.afterTransaction(stored),
  };
}

/** Writes slots and texts of stored records again after the plan of their stream has grown, in the caller's transaction. */
export function reindexRecords(
  raw: Database.Database,
  streamId: number,
  index: Parameters<BatchStore['reindex']>[1],
): number {
  const run = prepareStatements(raw);
  const layOut = readLayout(run, streamId);
  const lexicon = new Lexicon(raw);
  const next = raw
    .prepare('select key from records where stream_id = ? and key > ? order by key limit 1000')
    .pluck();
  const read = raw.prepare('select rid, t, data from records where stream_id = ? and key = ?');
  const update = raw.prepare(
    `update facets set ${slotColumns.map((s) => `${s} = ?`).join(', ')} where stream_id = ? and t = ? and key = ?`,
  );
  let count = 0;
  let keys = next.all(streamId, '') as string[];
  for (; keys.length > 0; keys = next.all(streamId, keys.at(-1)) as string[]) {
    for (const key of keys) {
      const { rid, t, data } = read.get(streamId, key) as { rid: number; t: number; data: string };
      const { slots, texts, hasTexts } = layOut(index(JSON.parse(data) as Record<string, unknown>));
      update.run(...slots, streamId, t, key);
      run.removeText.run(rid);
      if (hasTexts) run.addText.run(rid, ...texts);
      lexicon.addTexts(texts);
    }
    lexicon.write();
    lexicon.afterTransaction(true);
    count += keys.length;
  }
  return count;
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(raw: Database.Database) {
  const facetColumns = slotColumns.map((s) => `f.${s}`).join(', ');
  return {
    readSeq: raw.prepare(`select value from counters where name = 'seq'`).pluck(),
    writeSeq: raw.prepare(`update counters set value = ? where name = 'seq'`),
    find: raw.prepare('select rid, t, emitted_at, seq, data from records where stream_id = ? and key = ?'),
    lastRid: raw.prepare('select max(rid) from records where rid between ? and ?').pluck(),
    addRecord: raw.prepare('insert into records values (?, ?, ?, ?, ?, ?, ?)'),
    removeRecord: raw.prepare('delete from records where rid = ?'),
    addFacets: raw.prepare(
      `insert into facets (stream_id, t, key, rid, ${slotList}) values (?, ?, ?, ?, ${slotMarks})`,
    ),
    removeFacets: raw.prepare('delete from facets where stream_id = ? and t = ? and key = ?'),
    addText: raw.prepare(`insert into texts (rowid, ${textList}) values (?, ${textMarks})`),
    removeText: raw.prepare('delete from texts where rowid = ?'),
    moveToHistory: raw.prepare(
      `insert into history (stream_id, key, from_seq, to_seq, t, emitted_at, data, ${slotList})
       select f.stream_id, f.key, r.seq, ?, f.t, r.emitted_at, ${pastData('r.seq', 'r.data')}, ${facetColumns}
       from facets f join records r on r.rid = f.rid where f.stream_id = ? and f.t = ? and f.key = ?`,
    ),
    keepLargePast: raw.prepare('insert into large_past values (?, ?)'),
    findPast: raw
      .prepare(
        `select 1 from history h where stream_id = ? and key = ? and emitted_at = ? and ? in (
           h.data, (select l.data from large_past l where l.seq = h.from_seq and h.data like '#%')) limit 1`,
      )
      .pluck(),
    clearHistory: raw.prepare(
      `update history set data = null, ${slotColumns.map((s) => `${s} = null`).join(', ')} where stream_id = ? and key = ?`,
    ),
    findDeletion: raw.prepare('select emitted_at from deletions where stream_id = ? and key = ?').pluck(),
    addDeletion: raw.prepare(
      'insert into deletions values (?, ?, ?, ?) on conflict do update set emitted_at = max(emitted_at, excluded.emitted_at), seq = max(seq, excluded.seq)',
    ),
    confirm: raw.prepare('update records set emitted_at = ? where rid = ?'),
    removeDeletion: raw.prepare('delete from deletions where stream_id = ? and key = ?'),
    readPlan: raw.prepare('select plan from streams where stream_id = ?').pluck(),
    addDay: raw.prepare('insert into days values (?, ?, ?) on conflict do update set n = n + excluded.n'),
  };
}

/** Returns the next free row id in the record's minute, or in a later minute when that is full. */
function findFreeRid(run: Statements, streamId: number, change: Put): number {
  for (const [first, last] of ridRanges(streamId, change.t, change.key)) {
    const used = run.lastRid.get(first, last) as number | null;
    if (used === null) return first;
    if (used < last) return used + 1;
  }
  throw new Error('every row id of the stream is taken');
}
