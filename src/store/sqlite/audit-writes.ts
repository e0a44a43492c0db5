import type Database from 'better-sqlite3';
import type { AuditStore, DayCount } from '../audit-store.ts';

type AuditWrites = Omit<AuditStore, `list${string}` | `find${string}` | 'countReads'>;

const readNames = [
  ...['at', 'request_id', 'client', 'grant_id', 'surface', 'tool', 'connection_id', 'stream', 'fields'],
  ...['records', 'tokens_out', 'ms', 'outcome', 'touched', 'way'],
];
const eventNames = ['at', 'kind', 'client_id', 'client', 'grant_id', 'detail', 'n'];
const dayNames = ['day', 'grant_id', 'client', 'surface', 'tool', 'outcome'];
const countNames = ['calls', 'records', 'tokens_out', 'first_at', 'last_at'];
const MAX_BATCH_READS = 64;
const MAX_BATCH_WAIT_MS = 2;
const MAX_LOG_BYTES = 4 * 2 ** 20;

/** The statements that change the audit. SQLite numbers an entry one above the newest, which is never pruned. */
export function createAuditWrites(raw: Database.Database): AuditWrites {
  const insert = (table: string, names: readonly string[]) =>
    `insert into ${table} (${names}) values (${names.map((name) => `@${name}`)})`;
  const insertRead = raw.prepare(insert('audit', readNames));
  const insertEvent = raw.prepare(insert('events', eventNames));
  const insertCount = raw.prepare(
    `${insert('usage_days', [...dayNames, ...countNames])} on conflict do update set
       calls = calls + excluded.calls, records = records + excluded.records,
       tokens_out = tokens_out + excluded.tokens_out,
       first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`,
  );
  const notePruned = raw.prepare(
    `insert into pruned (log, through_id) values (?, ?)
     on conflict do update set through_id = max(through_id, excluded.through_id)`,
  );
  const prune = raw.transaction(
    (log: 'audit' | 'events', ids: readonly number[], counts: readonly DayCount[]) => {
      for (const count of counts) insertCount.run(count);
      raw.prepare(`delete from ${log} where id in (select value from json_each(?))`).run(JSON.stringify(ids));
      notePruned.run(log, Math.max(...ids));
    },
  );
  const measure = () => {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(
      (name) => raw.pragma(name, { simple: true }) as number,
    ) as [number, number, number];
    return { used: (pages - free) * size, free, onDisk: pages * size };
  };
  return {
    appendRead: createBatchWriter(
      raw.transaction((reads: readonly object[]) => {
        for (const read of reads) insertRead.run(toWellFormed(read));
      }).immediate,
    ),
    async appendEvent(event) {
      insertEvent.run(toWellFormed(event));
    },
    async pruneReads(ids, counts) {
      prune.immediate('audit', ids, counts);
    },
    async pruneEvents(ids) {
      prune.immediate('events', ids, []);
    },
    measureFile: async () => measure(),
    async enableShrinking() {
      raw.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`);
      if (raw.pragma('auto_vacuum', { simple: true }) === 2) return;
      raw.pragma('auto_vacuum = incremental');
      raw.exec('vacuum');
      raw.pragma('wal_checkpoint(truncate)');
    },
    async shrinkFile(pages) {
      raw.pragma(`incremental_vacuum(${pages})`);
    },
  };
}

/**
 * Writes entries that arrive in the same turns of the event loop with one transaction. A batch waits for the next turn as
 * long as it grows, within limits, so a single entry waits for nobody. An entry's promise settles with its transaction.
 */
function createBatchWriter<Entry>(
  write: (entries: readonly Entry[]) => void,
): (entry: Entry) => Promise<void> {
  let batch: { entry: Entry; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let startedAt = 0;

  const flush = () => {
    const written = batch;
    batch = [];
    try {
      write(written.map(({ entry }) => entry));
    } catch (error) {
      for (const { reject } of written) reject(error);
      return;
    }
    for (const { resolve } of written) resolve();
  };
  const flushWhenComplete = (size: number) => {
    const mayGrow = batch.length < MAX_BATCH_READS && performance.now() - startedAt < MAX_BATCH_WAIT_MS;
    if (batch.length > size && mayGrow) setImmediate(flushWhenComplete, batch.length);
    else flush();
  };
  return (entry) =>
    new Promise((resolve, reject) => {
      batch.push({ entry, resolve, reject });
      if (batch.length > 1) return;
      startedAt = performance.now();
      setImmediate(flushWhenComplete, 0);
    });
}

/** A text that ends in half a character would be stored as invalid UTF-8. */
function toWellFormed(entry: object): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry))
    values[name] = typeof value === 'string' ? value.toWellFormed() : value;
  return values;
}
