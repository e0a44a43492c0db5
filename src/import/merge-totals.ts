import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change, Outcome } from '../store/batches.ts';
import { toValue } from '../store/field-value.ts';
import type { Scratch } from '../store/sqlite/scratch.ts';
import type { ReadStore } from '../store/store.ts';
import type { Totals } from './importer.ts';

const MAX_PEOPLE = 2_000;

/**
 * Computes totals from the store. An import alone cannot: it does not know the messages of earlier imports, and it sees
 * messages twice that two backups contain.
 */
export function createTotalsMerger(
  store: Pick<ReadStore, 'stored'>,
  scratch: Scratch,
  streams: ReadonlyMap<string, CatalogStream>,
  all: Readonly<Record<string, Totals>> = {},
) {
  scratch.raw.exec('create table unstored (parent text primary key, n integer not null) without rowid');
  const add = scratch.raw.prepare('insert into unstored values (?, 1) on conflict do update set n = n + 1');
  const countPending = scratch.raw.prepare('select n from unstored where parent = ?').pluck();
  const findStream = ({ of, by }: Totals): CatalogStream | undefined => {
    const stream = streams.get(of);
    return stream?.plan.slots[by] === undefined ? undefined : stream;
  };

  return {
    /** Whether records of the stream sum up others, which must be stored first. */
    covers: (stream: string) => Object.hasOwn(all, stream),
    /** Counts new records that a dry run does not store. */
    addUnstored({ name }: CatalogStream, changes: readonly Change[], outcomes: readonly Outcome[]): void {
      for (const totals of Object.values(all)) {
        if (totals.of !== name || findStream(totals) === undefined) continue;
        changes.forEach((change, index) => {
          if (change.op === 'put' && outcomes[index] === 'new') add.run(String(change.values[totals.by]));
        });
      }
    },
    /** Replaces the totals of one import by those of everything stored. */
    async merge(stream: CatalogStream, key: string, data: Record<string, unknown>): Promise<void> {
      const totals = all[stream.name];
      const children = totals && findStream(totals);
      if (totals === undefined || children === undefined) return;
      const parent = toValue('string', key, 'UTC');
      const pending = (countPending.get(String(parent)) as number | undefined) ?? 0;
      data[totals.count] = (await store.stored.countValue(children, totals.by, parent)) + pending;
      const { records } = await store.stored.find(stream.streamId, [key]);
      const stored = records.get(key);
      if (stored !== undefined) mergeSpans(JSON.parse(stored.data) as Record<string, unknown>, data, totals);
    },
  };
}

/** Adds stored totals to new ones. Takes the earlier start with its subject, the later end, and the people of both. */
export function mergeSpans(
  stored: Readonly<Record<string, unknown>>,
  data: Record<string, unknown>,
  { first, last, people }: Totals,
): void {
  const isText = (value: unknown): value is string => typeof value === 'string';
  const [start, end] = [stored[first], stored[last]];
  if (isText(start) && (!isText(data[first]) || start < data[first])) {
    data[first] = start;
    if (stored.subject !== undefined) data.subject = stored.subject;
  }
  if (isText(end) && (!isText(data[last]) || end > data[last])) data[last] = end;
  const everyone = [stored[people], data[people]].flatMap((list) =>
    Array.isArray(list) ? (list as string[]) : [],
  );
  if (everyone.length > 0) data[people] = [...new Set(everyone)].slice(0, MAX_PEOPLE);
}
