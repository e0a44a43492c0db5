import type { AuditStore } from '../store/audit-store.ts';

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

/** Writes entries. An entry is stored before the answer that it describes is sent. */
export function createAudit(store: AuditStore): WriteAudit {
  const names = (list: readonly string[]) =>
    list.length === 0 ? null : list.join(',').slice(0, MAX_NAMES_CHARACTERS);
  return (entry, at) =>
    store.appendRead({
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
