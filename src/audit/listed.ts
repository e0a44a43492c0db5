import type { AuditStore } from '../store/open-store.ts';
import type { WriteEvent } from './events.ts';

/** Notes that an app has looked at the tools, the first time only: later looks tell the owner nothing new. */
export function createListedNote(store: AuditStore, writeEvent: WriteEvent) {
  const known = new Set<string>();
  const find = store.raw.prepare(`select 1 from events where grant_id = ? and kind = 'listed' limit 1`);
  return (app: { grantId: string; clientId: string | undefined; clientName: string }, now: Date): void => {
    if (known.has(app.grantId)) return;
    known.add(app.grantId);
    if (find.get(app.grantId) !== undefined) return;
    writeEvent({ kind: 'listed', grantId: app.grantId, clientId: app.clientId, client: app.clientName }, now);
  };
}
