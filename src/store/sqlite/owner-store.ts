import type { OwnerReads, OwnerStore } from '../owner-store.ts';
import { readSetting, writeSetting } from './settings.ts';
import type { Queries } from './sqlite.ts';
import type { Tables } from './tables.ts';

const PASSPHRASE_SETTING = 'owner_passphrase';
/** When the passphrase was last set, so that an older copy of the store can be told from this one. */
const PASSPHRASE_TIME_SETTING = 'owner_passphrase_set_at';

const SEEN_EVENT_SETTING = 'alarms_seen';

const sessionColumns = [
  'session_hash as hash',
  'created_at as createdAt',
  'seen_at as seenAt',
  'expires_at as expiresAt',
  'user_agent as userAgent',
] as const;

export function createOwnerReads(db: Pick<Queries<Tables>, 'selectFrom'>): OwnerReads {
  return {
    readPassphrase: () => readSetting(db, PASSPHRASE_SETTING),
    readSeenEvent: async () => Number((await readSetting(db, SEEN_EVENT_SETTING)) ?? 0),
    findSession: (hash) =>
      db.selectFrom('sessions').select(sessionColumns).where('session_hash', '=', hash).executeTakeFirst(),
    async isPassphraseSetSince(time) {
      const noted = await readSetting(db, PASSPHRASE_TIME_SETTING);
      if (noted !== undefined && noted >= time) return true;
      // A store of an earlier version has only the link by which the passphrase was set.
      const links = db.selectFrom('setup_links').select('link_hash').where('used_at', '>=', time);
      return (await links.executeTakeFirst()) !== undefined;
    },
  };
}

export function createOwnerStore(db: Queries<Tables>): OwnerStore {
  return {
    ...createOwnerReads(db),
    async savePassphrase(derived, at) {
      await writeSetting(db, PASSPHRASE_SETTING, derived);
      await writeSetting(db, PASSPHRASE_TIME_SETTING, at);
    },
    setSeenEvent: (eventId) => writeSetting(db, SEEN_EVENT_SETTING, String(eventId)),
    async addSession(session) {
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
    },
    async updateSession({ hash, seenAt, expiresAt }) {
      await db
        .updateTable('sessions')
        .set({ seen_at: seenAt, expires_at: expiresAt })
        .where('session_hash', '=', hash)
        .execute();
    },
    listSessions: ({ now, seenAfter, limit }) =>
      db
        .selectFrom('sessions')
        .select(sessionColumns)
        .where('expires_at', '>', now)
        .where('seen_at', '>', seenAfter)
        .orderBy('seen_at', 'desc')
        .limit(limit)
        .execute(),
    async deleteEndedSessions({ now, seenAfter }) {
      await db
        .deleteFrom('sessions')
        .where((eb) => eb.or([eb('expires_at', '<=', now), eb('seen_at', '<=', seenAfter)]))
        .execute();
    },
    async deleteSession(hash) {
      await db.deleteFrom('sessions').where('session_hash', '=', hash).execute();
    },
    async deleteSessionsBefore(time) {
      const older = db.deleteFrom('sessions').where('created_at', '<', time);
      return Number((await older.executeTakeFirstOrThrow()).numDeletedRows);
    },
    async deleteAllSessions() {
      const { numDeletedRows } = await db.deleteFrom('sessions').executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    async addSetupLink(link) {
      await db
        .insertInto('setup_links')
        .values({
          link_hash: link.hash,
          created_at: link.createdAt,
          expires_at: link.expiresAt,
          used_at: link.usedAt,
        })
        .execute();
    },
    findSetupLink: (hash) =>
      db
        .selectFrom('setup_links')
        .select([
          'link_hash as hash',
          'created_at as createdAt',
          'expires_at as expiresAt',
          'used_at as usedAt',
        ])
        .where('link_hash', '=', hash)
        .executeTakeFirst(),
    async useSetupLink(hash, { now, latest }) {
      const { numUpdatedRows } = await db
        .updateTable('setup_links')
        .set({ used_at: now })
        .where('link_hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .where('expires_at', '<=', latest)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async deleteUnusedLinks() {
      await db.deleteFrom('setup_links').where('used_at', 'is', null).execute();
    },
  };
}
