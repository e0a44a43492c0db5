import type { Log } from '../log.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { EventKind } from './event-kinds.ts';

export interface AccessEvent {
  readonly kind: EventKind;
  readonly clientId?: string | undefined;
  readonly client?: string | undefined;
  readonly grantId?: string | undefined;
  readonly detail?: string | undefined;
}

export type WriteEvent = (event: AccessEvent, at: Date) => Promise<void>;

interface EventLog {
  readonly write: WriteEvent;
  /** Writes the counts of events that are not written yet: of windows that are over, or of all. */
  flush(at: Date, which: 'due' | 'all'): Promise<void>;
}

/** One log per store and process, so that a flood is counted in one place. */
const logs = new WeakMap<AuditStore, EventLog>();

export function getEventLog(store: AuditStore): EventLog {
  const known = logs.get(store);
  if (known !== undefined) return known;
  const log = foldEvents(({ kind, clientId, client, grantId, detail }, at, times) =>
    store.appendEvent({
      at: at.toISOString(),
      kind,
      client_id: clientId ?? null,
      client: client ?? null,
      grant_id: grantId ?? null,
      detail: detail ?? null,
      n: times,
    }),
  );
  logs.set(store, log);
  return log;
}

export function createEventLog(store: AuditStore): WriteEvent {
  return getEventLog(store).write;
}

/**
 * Writes events after the change they report is committed. The two are in different files, so they cannot be one
 * transaction, and an event without its change would be false. A failure is only logged: the change has happened.
 */
export function createEventWriter(store: Store, log: Log): WriteEvent {
  const write = createEventLog(store.audit);
  return (event, at) =>
    store.write.afterCommit(async () => {
      try {
        await write(event, at);
      } catch (error) {
        log('event_not_written', { ...event, error: error instanceof Error ? error.stack : String(error) });
      }
    });
}

/** Writes an event when an app lists the tools for the first time. */
export function createToolsListedEvent(store: AuditStore, writeEvent: WriteEvent) {
  const known = new Set<string>();
  return async (
    app: { grantId: string; clientId: string | undefined; clientName: string },
    now: Date,
  ): Promise<void> => {
    const { grantId, clientId, clientName: client } = app;
    if (known.has(grantId)) return;
    known.add(grantId);
    const [earlier] = await store.listEvents({ grantId, kinds: ['listed'] }, { order: 'oldest', limit: 1 });
    if (earlier === undefined) await writeEvent({ kind: 'listed', grantId, clientId, client }, now);
  };
}

interface FoldRule {
  /** The number of events written one by one; further ones within the window are counted and written as one row. */
  readonly rows: number;
  readonly windowMs: number;
  /** Events are counted together if these properties are equal. The row of a count has no other properties. */
  readonly by: readonly ('clientId' | 'client' | 'grantId' | 'detail')[];
}

/** Events that unknown callers or apps can cause without limit. */
const foldRules: Partial<Record<EventKind, FoldRule>> = {
  registered: { rows: 20, windowMs: MINUTE_MS, by: [] },
  asked: { rows: 20, windowMs: MINUTE_MS, by: [] },
  document_fetched: { rows: 10, windowMs: MINUTE_MS, by: [] },
  registration_refused: { rows: 1, windowMs: MINUTE_MS, by: ['detail'] },
  refused_bearer: { rows: 1, windowMs: MINUTE_MS, by: ['detail'] },
  rate_limited: { rows: 1, windowMs: MINUTE_MS, by: ['clientId', 'client', 'grantId', 'detail'] },
  sign_in_failed: { rows: 10, windowMs: 15 * MINUTE_MS, by: ['detail'] },
  token_refreshed: { rows: 1, windowMs: 24 * HOUR_MS, by: ['clientId', 'client', 'grantId'] },
};

interface FoldWindow {
  readonly event: AccessEvent;
  readonly start: number;
  readonly length: number;
  rowsLeft: number;
  waiting: number;
}

/** Keeps the log short: the first events of a kind are written at once, a flood is counted over windows that double. */
function foldEvents(append: (event: AccessEvent, at: Date, times: number) => Promise<void>): EventLog {
  const windows = new Map<string, FoldWindow>();

  /**
   * Ends a window and writes its count. While a flood lasts, the next window is twice as long. The window is replaced
   * before the row is written: events that arrive meanwhile count in the next window.
   */
  const close = async (id: string, { event, length, waiting }: FoldWindow, at: Date) => {
    windows.delete(id);
    if (waiting === 0) return;
    const next = Math.max(length, Math.min(2 * length, HOUR_MS));
    windows.set(id, { event, start: at.getTime(), length: next, rowsLeft: 0, waiting: 0 });
    await append(event, at, waiting);
  };
  // If the clock is set back, the window ends as well. Otherwise it would stay open until the clock catches up.
  const isOver = ({ start, length }: FoldWindow, time: number) => time < start || time >= start + length;

  return {
    async write(event, at) {
      const rule = foldRules[event.kind];
      if (rule === undefined) return append(event, at, 1);
      const folded = { kind: event.kind, ...Object.fromEntries(rule.by.map((name) => [name, event[name]])) };
      const id = JSON.stringify(folded);
      const known = windows.get(id);
      if (known !== undefined && isOver(known, at.getTime())) await close(id, known, at);
      let window = windows.get(id);
      if (window === undefined) {
        const { windowMs: length, rows: rowsLeft } = rule;
        window = { event: folded, start: at.getTime(), length, rowsLeft, waiting: 0 };
        windows.set(id, window);
      }
      if (window.rowsLeft === 0) window.waiting += 1;
      else {
        window.rowsLeft -= 1;
        await append(event, at, 1);
      }
    },
    async flush(at, which) {
      // A copy: closing a window opens the next.
      for (const [id, window] of [...windows])
        if (which === 'all' || isOver(window, at.getTime())) await close(id, window, at);
    },
  };
}
