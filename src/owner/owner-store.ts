import { PASSPHRASE_TIME_SETTING, type ReadStore, type WriteStore } from '../store/sqlite/open-store.ts';

/** A signed-in browser. Its cookie is stored as a hash only. Times are ISO texts. */
export interface StoredSession {
  readonly hash: string;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly expiresAt: string;
  readonly userAgent: string | null;
}

/** A link to set the passphrase, stored as a hash only. */
export interface StoredLink {
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

const PASSPHRASE_SETTING = 'owner_passphrase';

export async function readPassphrase({ db }: ReadStore | WriteStore): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', PASSPHRASE_SETTING)
    .executeTakeFirst();
  return row?.value;
}

/** Stores the derived passphrase and the time at which it was set. */
export async function savePassphrase({ db }: WriteStore, derived: string, at: string): Promise<void> {
  for (const [name, value] of [
    [PASSPHRASE_SETTING, derived],
    [PASSPHRASE_TIME_SETTING, at],
  ] as const) {
    await db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }
}

const sessionColumns = [
  'session_hash as hash',
  'created_at as createdAt',
  'seen_at as seenAt',
  'expires_at as expiresAt',
  'user_agent as userAgent',
] as const;

export async function addSession({ db }: WriteStore, session: StoredSession): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      session_hash: session.hash,
      created_at: session.createdAt,
      seen_at: session.seenAt,
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
    })
    .execute();
}

export async function findSession({ db }: ReadStore, hash: string): Promise<StoredSession | undefined> {
  return db.selectFrom('sessions').select(sessionColumns).where('session_hash', '=', hash).executeTakeFirst();
}

export async function updateSession(
  { db }: WriteStore,
  { hash, seenAt, expiresAt }: Pick<StoredSession, 'hash' | 'seenAt' | 'expiresAt'>,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_at: seenAt, expires_at: expiresAt })
    .where('session_hash', '=', hash)
    .execute();
}

/** Returns the sessions that end after `now` and were used after `seenAfter`, the latest used first. */
export async function listSessions(
  { db }: WriteStore,
  { now, seenAfter, limit }: { now: string; seenAfter: string; limit: number },
): Promise<StoredSession[]> {
  return db
    .selectFrom('sessions')
    .select(sessionColumns)
    .where('expires_at', '>', now)
    .where('seen_at', '>', seenAfter)
    .orderBy('seen_at', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes the sessions that ended by `now` or were not used after `seenAfter`. */
export async function deleteEndedSessions(
  { db }: WriteStore,
  { now, seenAfter }: { now: string; seenAfter: string },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('seen_at', '<=', seenAfter)]))
    .execute();
}

export async function deleteSession({ db }: WriteStore, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('session_hash', '=', hash).execute();
}

export async function deleteAllSessions({ db }: WriteStore): Promise<void> {
  await db.deleteFrom('sessions').execute();
}

export async function addSetupLink({ db }: WriteStore, link: StoredLink): Promise<void> {
  await db
    .insertInto('setup_links')
    .values({
      link_hash: link.hash,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
      used_at: link.usedAt,
    })
    .execute();
}

export async function findSetupLink({ db }: WriteStore, hash: string): Promise<StoredLink | undefined> {
  return db
    .selectFrom('setup_links')
    .select(['link_hash as hash', 'created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where('link_hash', '=', hash)
    .executeTakeFirst();
}

/** Marks an unused link that ends after `now` and by `latest` as used. Returns false if there is none. */
export async function useSetupLink(
  { db }: WriteStore,
  hash: string,
  { now, latest }: { now: string; latest: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('setup_links')
    .set({ used_at: now })
    .where('link_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', latest)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteUnusedLinks({ db }: WriteStore): Promise<void> {
  await db.deleteFrom('setup_links').where('used_at', 'is', null).execute();
}
