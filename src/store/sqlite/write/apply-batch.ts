import type Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { DAY_MS } from '../../../time/durations.ts';
import { type BatchStore, type Change, judgePut, type Outcome } from '../../batches.ts';
import { type SlotPlan, TEXT_COLUMNS } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import { addLargeRecord, isLarge, pastData, removeLargeRecord } from '../large/large-records.ts';
import { minuteOf, ridRanges } from '../rid.ts';
import { createRowLayout, type IndexRow } from '../slots.ts';
import { slotColumns } from '../tables.ts';
import { Lexicon } from './lexicon.ts';

type Put = Change & { op: 'put' };

interface StoredRecord {
  rid: number;
  t: number;
  emitted_at: number;
  seq: number;
  data: string;
}

const slotList = slotColumns.join(', ');
const slotMarks = slotColumns.map(() => '?').join(', ');
const textList = Array.from({ length: TEXT_COLUMNS }, (_, i) => `c${i}`).join(', ');
const textMarks = Array.from({ length: TEXT_COLUMNS }, () => '?').join(', ');

/** Returns the day that a record is counted under. */
export function dayOf(t: number): number {
  return t === NO_TIME ? NO_TIME : Math.floor(t / DAY_MS);
}

/** Applies batches over one connection, with prepared statements: this is the inner loop of an import. */
export interface Applier {
  apply(streamId: number, changes: readonly Change[], holdsChanges: boolean): Outcome[];
  readSeq(): number;
  /** Reports whether the last batch was committed. */
  settle(stored: boolean): void;
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
  const plan = run.readPlan.get(streamId) as string | undefined;
  // The connection may be removed while its import is running.
  if (plan === undefined)
    throw new AppError('unknown_connection', 'The connection was removed.', { hint: 'Import it again.' });
  return createRowLayout(JSON.parse(plan) as Partial<SlotPlan>);
}

/** Forgets which words are stored, after words were erased. */
export function forgetKnownWords(raw: Database.Database): void {
  appliers.delete(raw);
}

function createApplier(raw: Database.Database): Applier {
  const run = prepareStatements(raw);
  const lexicon = new Lexicon(raw);
  // Texts are indexed at the end of a batch, by row id: the index flushes whenever an id is lower than the last.
  const texts = new Map<number, string[]>();
  const apply: Applier['apply'] = (streamId, changes, holdsChanges) => {
    const layOut = readLayout(run, streamId);
    let seq = run.readSeq.get() as number;
    texts.clear();
    const days = new Map<number, number>();
    const count = (t: number, by: number) => {
      const day = dayOf(t);
      days.set(day, (days.get(day) ?? 0) + by);
    };
    const outcomes = changes.map((change): Outcome => {
      const stored = run.find.get(streamId, change.key) as StoredRecord | undefined;
      if (change.op === 'delete') {
        if (stored === undefined) {
          // A deletion may arrive before the record that it deletes: an older record must not come back.
          run.addDeletion.run(streamId, change.key, change.emittedAt, 0);
          return 'same';
        }
        if (change.emittedAt < stored.emitted_at) return 'same';
        seq += 1;
        keepPast(streamId, change.key, stored, seq);
        run.clearPast.run(streamId, change.key);
        removeLargeRecord(raw, streamId, change.key);
        run.addDeletion.run(streamId, change.key, change.emittedAt, seq);
        removeRecord(streamId, change.key, stored);
        count(stored.t, -1);
        return 'deleted';
      }
      const deletedAt =
        stored === undefined ? (run.findDeletion.get(streamId, change.key) as number | undefined) : undefined;
      const outcome = judgePut(
        change,
        stored,
        deletedAt,
        () => run.findPast.get(streamId, change.key, change.emittedAt, change.data) !== undefined,
      );
      if (outcome === 'same') {
        // Confirms the record: an older change must not overwrite it.
        if (stored?.data === change.data && change.emittedAt > stored.emitted_at)
          run.confirm.run(change.emittedAt, stored.rid);
        return outcome;
      }
      if (outcome === 'changed' && holdsChanges) return 'held';
      if (deletedAt !== undefined) run.removeDeletion.run(streamId, change.key);
      seq += 1;
      if (stored !== undefined) {
        keepPast(streamId, change.key, stored, seq);
        removeRecord(streamId, change.key, stored);
        count(stored.t, -1);
      }
      addRecord(streamId, change, layOut(change), seq, stored);
      count(change.t, 1);
      return outcome;
    });
    for (const rid of [...texts.keys()].sort((a, b) => a - b)) {
      const columns = texts.get(rid) as string[];
      run.addText.run(rid, ...columns);
      lexicon.learn(columns);
    }
    lexicon.write();
    for (const [day, by] of days) if (by !== 0) run.addDay.run(streamId, day, by);
    run.writeSeq.run(seq);
    return outcomes;
  };

  function keepPast(streamId: number, key: string, stored: StoredRecord, seq: number): void {
    run.keepPast.run(seq, streamId, stored.t, key);
    if (isLarge(stored.data)) run.keepLargePast.run(stored.seq, stored.data);
  }

  function removeRecord(streamId: number, key: string, stored: StoredRecord): void {
    if (!texts.delete(stored.rid)) run.removeText.run(stored.rid);
    run.removeFacets.run(streamId, stored.t, key);
    run.removeRecord.run(stored.rid);
  }

  function addRecord(
    streamId: number,
    change: Put,
    row: IndexRow,
    seq: number,
    stored: StoredRecord | undefined,
  ): void {
    // An edit keeps its id while its minute stays the same, so that many edits do not fill the minute.
    const stays = stored !== undefined && minuteOf(stored.t, change.key) === minuteOf(change.t, change.key);
    const rid = stays ? stored.rid : findFreeRid(run, streamId, change);
    run.addRecord.run(rid, streamId, change.key, change.t, change.emittedAt, seq, change.data);
    run.addFacets.run(streamId, change.t, change.key, rid, ...row.slots);
    if (isLarge(change.data)) addLargeRecord(raw, streamId, { seq, key: change.key }, change.data);
    if (row.hasTexts) texts.set(rid, row.texts);
  }

  return {
    apply,
    readSeq: () => run.readSeq.get() as number,
    settle: (stored) => lexicon.settle(stored),
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
      lexicon.learn(texts);
    }
    lexicon.write();
    lexicon.settle(true);
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
    keepPast: raw.prepare(
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
    clearPast: raw.prepare(
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
