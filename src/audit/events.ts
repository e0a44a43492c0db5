import type { AuditStore } from '../store/open-store.ts';
import { adoptKey, createAppend } from './append.ts';
import type { EventKind } from './event-kinds.ts';
import { createFold } from './fold-events.ts';

export interface AccessEvent {
  readonly kind: EventKind;
  readonly clientId?: string | undefined;
  readonly client?: string | undefined;
  readonly grantId?: string | undefined;
  readonly detail?: string | undefined;
}

export type WriteEvent = (event: AccessEvent, at: Date) => void;

export interface EventLog {
  readonly write: WriteEvent;
  /** Writes down what was only counted so far: what is due, or everything. */
  flush(at: Date, which: 'due' | 'all'): void;
}

const logs = new WeakMap<AuditStore, EventLog>();

/** One log per store and process: what is counted is counted in one place. */
export function getEventLog(store: AuditStore): EventLog {
  const known = logs.get(store);
  if (known !== undefined) return known;
  const append = createAppend(store, 'events');
  const fold = createFold((event, at, times) => {
    const { kind, clientId, client, grantId, detail } = event;
    append([
      at.toISOString(),
      kind,
      clientId ?? null,
      client ?? null,
      grantId ?? null,
      detail ?? null,
      times,
    ]);
  });
  logs.set(store, fold);
  const now = new Date();
  if (adoptKey(store, now)) fold.write({ kind: 'audit_key_changed' }, now);
  return fold;
}

export function createEventLog(store: AuditStore): WriteEvent {
  return getEventLog(store).write;
}
