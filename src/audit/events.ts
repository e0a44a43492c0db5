import type { Log } from '../log.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { Store } from '../store/store.ts';
import type { EventKind } from './event-kinds.ts';
import { createFold } from './fold-events.ts';

export interface AccessEvent {
  readonly kind: EventKind;
  readonly clientId?: string | undefined;
  readonly client?: string | undefined;
  readonly grantId?: string | undefined;
  readonly detail?: string | undefined;
}

export type WriteEvent = (event: AccessEvent, at: Date) => Promise<void>;

export interface EventLog {
  readonly write: WriteEvent;
  /** Writes events that were only counted so far: those that are due, or all. */
  flush(at: Date, which: 'due' | 'all'): Promise<void>;
}

/** One log per store and process, so that a flood is counted in one place. */
const logs = new WeakMap<AuditStore, EventLog>();

export function getEventLog(store: AuditStore): EventLog {
  const known = logs.get(store);
  if (known !== undefined) return known;
  const log = createFold(({ kind, clientId, client, grantId, detail }, at, times) =>
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
 * Writes events after the change they report is committed. Both are in different files and cannot be one transaction:
 * an event of a change that never happened would be false, a missing event is in the server's log. A failure is logged
 * only: the change itself has happened.
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
