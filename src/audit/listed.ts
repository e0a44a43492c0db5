import type { AuditStore } from '../store/sqlite/open-store.ts';
import type { WriteEvent } from './events.ts';

/** Notes that an app has looked at the tools, the first time only: later looks tell the owner nothing new. */
export function createListedNote(store: AuditStore, writeEvent: WriteEvent) {
  const known = new Set<string>();
  const isNoted = (grantId: string) =>
    store.db
      .selectFrom('events')
      .select('id')
      .where('grant_id', '=', grantId)
      .where('kind', '=', 'listed')
      .limit(1)
      .executeTakeFirst();
  return async (
    app: { grantId: string; clientId: string | undefined; clientName: string },
    now: Date,
  ): Promise<void> => {
    if (known.has(app.grantId)) return;
    known.add(app.grantId);
    if ((await isNoted(app.grantId)) !== undefined) return;
    await writeEvent(
      { kind: 'listed', grantId: app.grantId, clientId: app.clientId, client: app.clientName },
      now,
    );
  };
}
