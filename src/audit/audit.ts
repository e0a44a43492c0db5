import { createAppend } from '../store/sqlite/append.ts';
import type { AuditStore } from '../store/sqlite/open-store.ts';
import { getEventLog } from './events.ts';

/** One read, told in names and numbers. Values and query words are never part of it. */
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
  /** Records that were gone over, where they are more than were given out. */
  readonly touched?: number;
  /** How they were added up, in names of fields: `sum by category`. */
  readonly way?: string;
  readonly tokensOut: number;
  readonly ms: number;
  /** `ok`, or the code of the refusal. */
  readonly outcome: string;
}

export type WriteAudit = (entry: AuditEntry, at: Date) => Promise<void>;

const MOST_NAMES = 2_000;

/** Writes entries. An entry is in the file, and joined to the one before it, before the answer it tells of leaves. */
export function createAudit(store: AuditStore): WriteAudit {
  const { ready } = getEventLog(store);
  const append = createAppend(store, 'audit');
  const names = (list: readonly string[]) => (list.length === 0 ? null : list.join(',').slice(0, MOST_NAMES));
  return async (entry, at) => {
    await ready;
    await append([
      at.toISOString(),
      entry.requestId,
      entry.client,
      entry.grantId ?? null,
      entry.surface,
      entry.tool,
      names(entry.connectionIds),
      names(entry.streams),
      names(entry.fields),
      entry.records,
      entry.tokensOut,
      Math.round(entry.ms * 100) / 100,
      entry.outcome,
      entry.touched ?? null,
      entry.way?.slice(0, MOST_NAMES) ?? null,
    ]);
  };
}
