import { createAppend } from '../store/sqlite/append.ts';
import type { AuditStore } from '../store/sqlite/open-store.ts';
import { adoptKey } from './adopt-key.ts';
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
  /** Writes down what was only counted so far: what is due, or everything. */
  flush(at: Date, which: 'due' | 'all'): Promise<void>;
}

/** The log of a store, with word that the key at hand is the one that seals. Nothing is written before. */
export type OpenEventLog = EventLog & { readonly ready: Promise<void> };

const logs = new WeakMap<AuditStore, OpenEventLog>();

/** One log per store and process: what is counted is counted in one place. */
export function getEventLog(store: AuditStore): OpenEventLog {
  const known = logs.get(store);
  if (known !== undefined) return known;
  const append = createAppend(store, 'events');
  const fold = createFold(({ kind, clientId, client, grantId, detail }, at, times) =>
    append([
      at.toISOString(),
      kind,
      clientId ?? null,
      client ?? null,
      grantId ?? null,
      detail ?? null,
      times,
    ]),
  );
  const ready = adopt(store, fold, new Date());
  // Whoever writes hears of it; here nobody waits.
  ready.catch(() => {});
  const log: OpenEventLog = {
    ready,
    async write(event, at) {
      await ready;
      await fold.write(event, at);
    },
    async flush(at, which) {
      await ready;
      await fold.flush(at, which);
    },
  };
  logs.set(store, log);
  return log;
}

async function adopt(store: AuditStore, log: EventLog, now: Date): Promise<void> {
  if (await adoptKey(store, now)) await log.write({ kind: 'audit_key_changed' }, now);
}

export function createEventLog(store: AuditStore): WriteEvent {
  return getEventLog(store).write;
}
