import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change, Outcome } from '../store/batches.ts';
import { toValue } from '../store/field-value.ts';
import type { Scratch } from '../store/sqlite/scratch.ts';
import type { ReadStore } from '../store/store.ts';
import type { Totals } from './importer.ts';

const MAX_PEOPLE = 2_000;

/**
 * An import sees only its own messages: the second mailbox would say that a conversation has two mails, when three came
 * with the first; and it sees messages twice that stand in two backups. So they are counted in the store.
 */
export function createTotalsMerger(
  store: ReadStore,
  scratch: Scratch,
  streams: ReadonlyMap<string, CatalogStream>,
  all: Readonly<Record<string, Totals>> = {},
) {
  scratch.raw.exec('create table foreseen (parent text primary key, n integer not null) without rowid');
  const add = scratch.raw.prepare('insert into foreseen values (?, 1) on conflict do update set n = n + 1');
  const findForeseen = scratch.raw.prepare('select n from foreseen where parent = ?').pluck();
  const findSlot = ({ of, by }: Totals): number | undefined => streams.get(of)?.plan.slots[by];

  return {
    /** Whether records of the stream sum others up, so that those must be stored first. */
    covers: (stream: string) => Object.hasOwn(all, stream),
    /** Notes records that a dry run does not store. */
    foresee({ name }: CatalogStream, changes: readonly Change[], outcomes: readonly Outcome[]): void {
      for (const totals of Object.values(all)) {
        const slot = totals.of === name ? findSlot(totals) : undefined;
        if (slot === undefined) continue;
        changes.forEach((change, index) => {
          if (change.op === 'put' && outcomes[index] === 'new') add.run(String(change.slots[slot]));
        });
      }
    },
    /** Makes of what one import says about a chat what is true of all that is stored. */
    async merge(stream: CatalogStream, key: string, data: Record<string, unknown>): Promise<void> {
      const totals = all[stream.name];
      const [slot, children] = totals === undefined ? [] : [findSlot(totals), streams.get(totals.of)];
      if (totals === undefined || slot === undefined || children === undefined) return;
      const parent = toValue('string', key, 'UTC');
      const foreseen = (findForeseen.get(String(parent)) as number | undefined) ?? 0;
      data[totals.count] = (await store.stored.countSlotValue(children.streamId, slot, parent)) + foreseen;
      const { records } = await store.stored.find(stream.streamId, [key]);
      const stored = records.get(key);
      if (stored !== undefined) joinSpans(JSON.parse(stored.data) as Record<string, unknown>, data, totals);
    },
  };
}

/** The earlier beginning with what it was called then, the later end, and everybody of both. */
function joinSpans(
  before: Readonly<Record<string, unknown>>,
  data: Record<string, unknown>,
  { first, last, people }: Totals,
): void {
  const isEarlier = isTime(before[first]) && (!isTime(data[first]) || before[first] < data[first]);
  const isLater = isTime(before[last]) && (!isTime(data[last]) || before[last] > data[last]);
  if (isEarlier) {
    data[first] = before[first];
    if (before.subject !== undefined) data.subject = before.subject;
  }
  if (isLater) data[last] = before[last];
  const all = [before[people], data[people]].flatMap((list) =>
    Array.isArray(list) ? (list as string[]) : [],
  );
  if (all.length > 0) data[people] = [...new Set(all)].slice(0, MAX_PEOPLE);
}

const isTime = (value: unknown): value is string => typeof value === 'string';
