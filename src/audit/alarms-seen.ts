import type { Store } from '../store/open-store.ts';

const SEEN = 'alarms_seen';

/** Remembers how far the owner has looked; what happens later is shown again. */
export async function markAlarmsSeen(store: Store): Promise<void> {
  const last = await store.audit.db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  const value = String(last?.id ?? 0);
  await store.write.db
    .insertInto('settings')
    .values({ name: SEEN, value })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value }))
    .execute();
}

/** The last event that the owner has looked at. */
export async function readAlarmsSeen(store: Store): Promise<number> {
  const row = await store.read.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', SEEN)
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}
