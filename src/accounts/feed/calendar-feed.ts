import type { InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { readCalendar } from '../../sources/calendar/read-calendar.ts';
import type { SyncItem, SyncKey, SyncRecord, SyncRun } from '../sync-source.ts';

const COLLECTION = 'calendar';
const BATCH = 500;

interface Entry extends SyncRecord {
  readonly item: string;
  readonly version: string;
}

/**
 * Yields the entries of a calendar that are new or have changed. Many calendars list only a limited period. Therefore a
 * missing entry is deleted only if it is in the future.
 */
export async function* syncCalendar(
  file: InputFile,
  isWhole: boolean,
  run: SyncRun,
): AsyncGenerator<SyncItem> {
  const seen = new Set<string>();
  let batch: Entry[] = [];
  const options = { timeZone: run.timeZone };
  const calendar = { files: [file], certainty: 'certain' as const };
  for await (const item of readCalendar(calendar, options, ['events', 'tasks', 'journal'])) {
    if (item.kind === 'problem') yield { kind: 'problem', place: item.place ?? '', reason: item.reason };
    else if (item.kind === 'note') yield { kind: 'note', note: item.note };
    else if (item.kind === 'record') {
      const { stream, data } = item;
      if (typeof data.id !== 'string') {
        yield { kind: 'record', stream, data };
        continue;
      }
      const key = `${stream}/${data.id}`;
      seen.add(key);
      batch.push({ stream, data, item: key, version: hashKey(JSON.stringify(data)) });
      if (batch.length < BATCH) continue;
      yield* storeChanged(batch, run);
      batch = [];
    }
  }
  yield* storeChanged(batch, run);
  if (isWhole) yield* removeVanished(seen, run);
}

async function* storeChanged(batch: readonly Entry[], run: SyncRun): AsyncGenerator<SyncItem> {
  const known = await run.items.find(
    COLLECTION,
    batch.map(({ item }) => item),
  );
  for (const { item, version, stream, data } of batch)
    if (known.get(item)?.version !== version)
      yield { kind: 'put', collection: COLLECTION, item, version, records: [{ stream, data }] };
}

async function* removeVanished(seen: ReadonlySet<string>, run: SyncRun): AsyncGenerator<SyncItem> {
  const vanished: string[] = [];
  for await (const { item } of run.items.list(COLLECTION)) if (!seen.has(item)) vanished.push(item);
  for (let at = 0; at < vanished.length; at += BATCH) {
    const found = await run.items.find(COLLECTION, vanished.slice(at, at + BATCH));
    for (const [item, { records }] of found)
      if (await isUpcoming(records, run)) yield { kind: 'remove', collection: COLLECTION, item };
  }
}

/** Whether an entry is in the future, or repeats without an end. */
async function isUpcoming(records: readonly SyncKey[], run: SyncRun): Promise<boolean> {
  for (const { stream, key } of records) {
    const data = (await run.readStored(stream, [key])).get(key);
    if (typeof data?.rule === 'string' && !/\b(?:UNTIL|COUNT)=/i.test(data.rule)) return true;
    const at = [data?.due_at, data?.starts_at].find((time) => typeof time === 'string');
    if (at !== undefined && Date.parse(at as string) > run.now().getTime()) return true;
  }
  return false;
}
