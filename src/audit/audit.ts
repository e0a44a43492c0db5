import type { AuditStore, StoredRead } from '../store/audit-store.ts';

/** One read, in names and numbers; never with values or query words. */
export interface AuditEntry {
  readonly requestId: string;
  readonly client: string;
  readonly grantId: string | undefined;
  readonly surface: 'mcp' | 'rest' | 'dashboard';
  readonly tool: string;
  readonly connectionIds: readonly string[];
  readonly streams: readonly string[];
  readonly fields: readonly string[];
  readonly records: number;
  /** The number of records that were read, if more than were returned. */
  readonly touched?: number;
  /** How records were aggregated, with the names of the fields: `sum by category`. */
  readonly way?: string;
  readonly tokensOut: number;
  readonly ms: number;
  /** `ok`, or the code of the refusal. */
  readonly outcome: string;
}

export type WriteAudit = (entry: AuditEntry, at: Date) => Promise<void>;

const MAX_NAMES_CHARACTERS = 2_000;

/** Writes entries, several that arrive together as one batch. An entry is stored before its answer is sent. */
export function createAudit(store: AuditStore): WriteAudit {
  const names = (list: readonly string[]) =>
    list.length === 0 ? null : list.join(',').slice(0, MAX_NAMES_CHARACTERS);
  const append = createBatchWriter<Omit<StoredRead, 'id'>>((reads) => store.appendReads(reads));
  return (entry, at) =>
    append({
      at: at.toISOString(),
      request_id: entry.requestId,
      client: entry.client,
      grant_id: entry.grantId ?? null,
      surface: entry.surface,
      tool: entry.tool,
      connection_id: names(entry.connectionIds),
      stream: names(entry.streams),
      fields: names(entry.fields),
      records: entry.records,
      tokens_out: entry.tokensOut,
      ms: Math.round(entry.ms * 100) / 100,
      outcome: entry.outcome,
      touched: entry.touched ?? null,
      way: entry.way?.slice(0, MAX_NAMES_CHARACTERS) ?? null,
    });
}

const MAX_BATCH_ENTRIES = 64;
const MAX_BATCH_WAIT_MS = 2;

/**
 * Writes entries that arrive in the same turns of the event loop together. A batch waits for the next turn as long as it
 * grows, within limits, so a single entry waits for nobody. An entry's promise settles with its batch.
 */
function createBatchWriter<Entry>(
  write: (entries: readonly Entry[]) => Promise<unknown>,
): (entry: Entry) => Promise<void> {
  let batch: { entry: Entry; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let startedAt = 0;

  const flush = async () => {
    const written = batch;
    batch = [];
    try {
      await write(written.map(({ entry }) => entry));
    } catch (error) {
      for (const { reject } of written) reject(error);
      return;
    }
    for (const { resolve } of written) resolve();
  };
  const flushWhenComplete = (size: number) => {
    const mayGrow = batch.length < MAX_BATCH_ENTRIES && performance.now() - startedAt < MAX_BATCH_WAIT_MS;
    if (batch.length > size && mayGrow) setImmediate(flushWhenComplete, batch.length);
    else void flush();
  };
  return (entry) =>
    new Promise((resolve, reject) => {
      batch.push({ entry, resolve, reject });
      if (batch.length > 1) return;
      startedAt = performance.now();
      setImmediate(flushWhenComplete, 0);
    });
}
