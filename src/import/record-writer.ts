import { createDataPreparer } from '../ingest/prepare-record.ts';
import { type CatalogStream, loadCatalog } from '../schema-index/catalog.ts';
import type { Change } from '../store/batches.ts';
import type { Scratch } from '../store/sqlite/scratch.ts';
import type { Store } from '../store/store.ts';
import { createDryRun } from './dry-run.ts';
import { ImportBatches } from './import-batches.ts';
import type { Importer, ImportItem } from './importer.ts';
import { cleanData, createKeyMaker, type KeyValue } from './make-key.ts';
import { createTotalsMerger } from './merge-totals.ts';

export interface RecordWriterOptions {
  readonly store: Store;
  readonly scratch: Scratch;
  readonly importer: Pick<Importer, 'identity' | 'totals'>;
  readonly streams: ReadonlyMap<string, CatalogStream>;
  /** Absent for a dry run. */
  readonly importId: number | undefined;
  readonly emittedAt: number;
  readonly keyValue: KeyValue;
  readonly count: (stream: string, outcome: 'new' | 'changed' | 'same') => void;
  readonly onBatch: (stream: CatalogStream, changes: readonly Change[]) => void;
}

const MAX_RECORD_CHARACTERS = 16 * 2 ** 20;
const MAX_KEY_BYTES = 512;

/** Gives records their keys and stores them in batches, or says what storing them would do. */
export async function createRecordWriter(options: RecordWriterOptions) {
  const { store, scratch, importer, streams, importId } = options;
  const totals = createTotalsMerger(store.read, scratch, streams, importer.totals);
  const dryRun = createDryRun(store.read, scratch);
  const batches = new ImportBatches({
    write: ({ streamId }, changes, holdsChanges) =>
      importId === undefined
        ? dryRun(streamId, changes, holdsChanges)
        : store.write.batches.write(streamId, changes, { importId, holdsChanges }),
    // Totals are summed up from what is stored, so a change of them does not wait.
    holdsChanges: ({ name }) => !totals.covers(name),
    count: ({ name }, outcome) =>
      options.count(name, outcome === 'new' || outcome === 'changed' ? outcome : 'same'),
    onBatch(stream, changes, outcomes) {
      if (importId === undefined) totals.foresee(stream, changes, outcomes);
      options.onBatch(stream, changes);
    },
  });
  const makeKey = createKeyMaker(scratch, importer.identity, options.keyValue);
  const { plainZone } = await loadCatalog(store.read);
  const targets = new Map(
    [...streams].map(([name, stream]) => [name, { stream, prepare: createDataPreparer(stream, plainZone) }]),
  );
  return {
    /** Returns why the record cannot be stored, or undefined where it can. */
    async add(record: ImportItem & { kind: 'record' }): Promise<string | undefined> {
      const target = targets.get(record.stream);
      if (target === undefined) return 'belongs to a stream that is not declared';
      const { stream, prepare } = target;
      const data = cleanData(record.data);
      makeKey(stream.declaration, data, record.file.path, record.legacyData);
      if (totals.covers(record.stream)) {
        await batches.flushOthers(stream);
        await totals.merge(stream, String(data[stream.declaration.primary_key[0] as string]), data);
      }
      const prepared = prepare(data, options.emittedAt);
      if (prepared.kind === 'refused') return prepared.reason;
      const { change } = prepared;
      if (change.op !== 'put') return undefined;
      if (change.data.length > MAX_RECORD_CHARACTERS) return 'is larger than 16 MB';
      if (Buffer.byteLength(change.key) > MAX_KEY_BYTES) return 'has a key of more than 512 bytes';
      await batches.add(stream, change);
      return undefined;
    },
    finish: () => batches.finish(),
  };
}
