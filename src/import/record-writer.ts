import { hash } from 'node:crypto';
import { createDataPreparer } from '../ingest/prepare-record.ts';
import { type CatalogStream, loadCatalog } from '../schema-index/catalog.ts';
import { type Change, decidePut, type Outcome } from '../store/batches.ts';
import type { Scratch } from '../store/sqlite/scratch.ts';
import type { ReadStore, WriteStore } from '../store/store.ts';
import { ImportBatches } from './import-batches.ts';
import type { Importer, ImportItem } from './importer.ts';
import { cleanData, createKeyMaker, type KeyValue } from './make-key.ts';
import { createTotalsMerger } from './merge-totals.ts';

export interface RecordWriterOptions {
  readonly store: {
    readonly read: Pick<ReadStore, 'catalog' | 'stored'>;
    readonly write: { readonly batches: Pick<WriteStore['batches'], 'write'> };
  };
  readonly scratch: Scratch;
  readonly importer: Pick<Importer, 'identity' | 'totals'>;
  readonly streams: ReadonlyMap<string, CatalogStream>;
  /** Absent for a dry run. */
  readonly importId: number | undefined;
  /** Returns the time that a record is stored with. */
  readonly emittedAt: () => number;
  readonly keyValue: KeyValue;
  readonly count: (stream: string, outcome: 'new' | 'changed' | 'same') => void;
  readonly onBatch: (stream: CatalogStream, changes: readonly Change[], outcomes: readonly Outcome[]) => void;
}

/** A record of an export or of an account. */
export interface WrittenRecord
  extends Pick<ImportItem & { kind: 'record' }, 'stream' | 'data' | 'legacyData'> {
  readonly file: { readonly path: string };
}

/** `refused`: the record cannot be stored. The reason continues a sentence. */
export type Written =
  | { readonly kind: 'added'; readonly key: string }
  | { readonly kind: 'refused'; readonly reason: string };

const MAX_RECORD_CHARACTERS = 16 * 2 ** 20;
const MAX_KEY_BYTES = 512;

/** Gives records their keys and stores them in batches. A dry run only reports what storing them would do. */
export async function createRecordWriter(options: RecordWriterOptions) {
  const { store, scratch, importer, streams, importId } = options;
  const totals = createTotalsMerger(store.read, scratch, streams, importer.totals);
  const dryRun = createDryRun(store.read, scratch);
  const batches = new ImportBatches({
    write: ({ streamId }, changes, holdsChanges) =>
      importId === undefined
        ? dryRun(streamId, changes, holdsChanges)
        : store.write.batches.write(streamId, changes, { importId, holdsChanges }),
    // Totals are computed from stored records, so their changes are not held back.
    holdsChanges: ({ name }) => !totals.covers(name),
    count: ({ name }, outcome) =>
      options.count(name, outcome === 'new' || outcome === 'changed' ? outcome : 'same'),
    onBatch(stream, changes, outcomes) {
      if (importId === undefined) totals.addUnstored(stream, changes, outcomes);
      options.onBatch(stream, changes, outcomes);
    },
  });
  const makeKey = createKeyMaker(scratch, importer.identity, options.keyValue);
  const { plainZone } = await loadCatalog(store.read);
  const targets = new Map(
    [...streams].map(([name, stream]) => [name, { stream, prepare: createDataPreparer(stream, plainZone) }]),
  );
  return {
    async add(record: WrittenRecord): Promise<Written> {
      const target = targets.get(record.stream);
      if (target === undefined) return refuse('belongs to an undeclared stream');
      const { stream, prepare } = target;
      const data = cleanData(record.data);
      makeKey(stream.declaration, data, record.file.path, record.legacyData);
      if (totals.covers(record.stream)) {
        await batches.flushOthers(stream);
        await totals.merge(stream, String(data[stream.declaration.primary_key[0] as string]), data);
      }
      const prepared = prepare(data, options.emittedAt());
      if (prepared.kind === 'refused') return prepared;
      const { change } = prepared;
      if (change.op !== 'put') throw new Error('a record was prepared as a deletion');
      if (change.data.length > MAX_RECORD_CHARACTERS) return refuse('is larger than 16 MB');
      if (Buffer.byteLength(change.key) > MAX_KEY_BYTES) return refuse('has a key longer than 512 bytes');
      await batches.add(stream, change);
      return { kind: 'added', key: change.key };
    },
    finish: () => batches.finish(),
  };
}

const refuse = (reason: string): Written => ({ kind: 'refused', reason });

/** Limits the memory for lookups: each stored record may be large. */
const MAX_LOOKUP_RECORDS = 10;

/**
 * Returns what storing a batch would do, by the same rule as the store. The scratch database holds what this run would
 * have added, because one export can contain a key twice.
 */
function createDryRun(store: Pick<ReadStore, 'stored'>, scratch: Scratch) {
  scratch.raw.exec(
    'create table added (stream_id integer, key text, data_hash blob, primary key (stream_id, key)) without rowid',
  );
  const find = scratch.raw.prepare('select data_hash from added where stream_id = ? and key = ?').pluck();
  const add = scratch.raw.prepare('insert or replace into added values (?, ?, ?)');
  const hashData = (data: string): Buffer => hash('sha256', data, 'buffer').subarray(0, 16);

  return async (streamId: number, changes: readonly Change[], holdsChanges: boolean): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < changes.length; at += MAX_LOOKUP_RECORDS) {
      const some = changes.slice(at, at + MAX_LOOKUP_RECORDS);
      const keys = some.map(({ key }) => key);
      const { records, deletions } = await store.stored.find(streamId, keys);
      for (const change of some) {
        if (change.op !== 'put') {
          outcomes.push('deleted');
          continue;
        }
        const added = find.get(streamId, change.key) as Buffer | undefined;
        const stored = records.get(change.key);
        const deletedAt = stored === undefined ? deletions.get(change.key) : undefined;
        const outcome =
          added === undefined
            ? decidePut(change, stored, deletedAt, () => false)
            : added.equals(hashData(change.data))
              ? 'same'
              : 'changed';
        const isHeld = outcome === 'changed' && holdsChanges;
        outcomes.push(isHeld ? 'held' : outcome);
        if (!isHeld && outcome !== 'same') add.run(streamId, change.key, hashData(change.data));
      }
    }
    return outcomes;
  };
}
