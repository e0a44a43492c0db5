import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import type { EventKind } from './event-kinds.ts';
import type { AccessEvent, EventLog } from './events.ts';

interface FoldRule {
  /** How many are written one by one; further ones within the window are counted and written as one row. */
  readonly rows: number;
  readonly windowMs: number;
  /** Events that differ in these are counted apart. A row of counted events has only these. */
  readonly by: readonly ('clientId' | 'client' | 'grantId' | 'detail')[];
}

/** Events that strangers or apps can cause without limit. */
const rules: Partial<Record<EventKind, FoldRule>> = {
  registered: { rows: 20, windowMs: MINUTE_MS, by: [] },
  asked: { rows: 20, windowMs: MINUTE_MS, by: [] },
  document_fetched: { rows: 10, windowMs: MINUTE_MS, by: [] },
  registration_refused: { rows: 1, windowMs: MINUTE_MS, by: ['detail'] },
  refused_bearer: { rows: 1, windowMs: MINUTE_MS, by: ['detail'] },
  rate_limited: { rows: 1, windowMs: MINUTE_MS, by: ['clientId', 'client', 'grantId', 'detail'] },
  sign_in_failed: { rows: 10, windowMs: 15 * MINUTE_MS, by: ['detail'] },
  token_refreshed: { rows: 1, windowMs: 24 * HOUR_MS, by: ['clientId', 'client', 'grantId'] },
};

interface Window {
  readonly event: AccessEvent;
  readonly start: number;
  readonly length: number;
  rowsLeft: number;
  waiting: number;
}

/** Keeps the log short: the first events of a kind are written at once, a flood is counted over windows that double. */
export function createFold(append: (event: AccessEvent, at: Date, times: number) => Promise<void>): EventLog {
  const windows = new Map<string, Window>();

  /**
   * Ends a window and writes its count. While a flood lasts, the next window is twice as long. The window is replaced
   * before the row is written: events that arrive meanwhile count in the next window.
   */
  const close = async (id: string, { event, length, waiting }: Window, at: Date) => {
    windows.delete(id);
    if (waiting === 0) return;
    const next = Math.max(length, Math.min(2 * length, HOUR_MS));
    windows.set(id, { event, start: at.getTime(), length: next, rowsLeft: 0, waiting: 0 });
    await append(event, at, waiting);
  };
  // A clock that was turned back ends a window too; it would stay open until that time comes again.
  const isOver = ({ start, length }: Window, time: number) => time < start || time >= start + length;

  return {
    async write(event, at) {
      const rule = rules[event.kind];
      if (rule === undefined) return append(event, at, 1);
      const told = { kind: event.kind, ...Object.fromEntries(rule.by.map((name) => [name, event[name]])) };
      const id = JSON.stringify(told);
      const known = windows.get(id);
      if (known !== undefined && isOver(known, at.getTime())) await close(id, known, at);
      const window = windows.get(id);
      if (window === undefined) {
        windows.set(id, {
          event: told,
          start: at.getTime(),
          length: rule.windowMs,
          rowsLeft: rule.rows - 1,
          waiting: 0,
        });
        await append(event, at, 1);
      } else if (window.rowsLeft > 0) {
        window.rowsLeft -= 1;
        await append(event, at, 1);
      } else window.waiting += 1;
    },
    async flush(at, which) {
      // A copy: closing a window opens the next.
      for (const [id, window] of [...windows])
        if (which === 'all' || isOver(window, at.getTime())) await close(id, window, at);
    },
  };
}
