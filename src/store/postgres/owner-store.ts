import type { OwnerReads, OwnerStore, StoredLink, StoredSession } from '../owner-store.ts';
import { PASSPHRASE_SETTING, PASSPHRASE_TIME_SETTING, SEEN_EVENT_SETTING } from '../setting-names.ts';
import type { PostgresDatabase } from './database.ts';
import { readSetting, writeSetting } from './settings.ts';
import { sql } from './sql.ts';

const sessionColumns = sql`session_hash as hash, created_at as "createdAt", seen_at as "seenAt",
  expires_at as "expiresAt", user_agent as "userAgent"`;

export function createOwnerReads(db: PostgresDatabase): OwnerReads {
  const { ownerId } = db;
  return {
    readPassphrase: () => readSetting(db, ownerId, PASSPHRASE_SETTING),
    readSeenEvent: async () => Number((await readSetting(db, ownerId, SEEN_EVENT_SETTING)) ?? 0),
    async findSession(hash) {
      const [row] = await db.query<StoredSession>(
        sql`select ${sessionColumns} from sessions where owner_id = ${ownerId} and session_hash = ${hash}`,
      );
      return row;
    },
    async isPassphraseSetSince(time) {
      const changedAt = await readSetting(db, ownerId, PASSPHRASE_TIME_SETTING);
      if (changedAt !== undefined && changedAt >= time) return true;
      // Stores of earlier versions know only the link that set the passphrase.
      const links = await db.query(
        sql`select 1 from setup_links where owner_id = ${ownerId} and used_at >= ${time} limit 1`,
      );
      return links.length > 0;
    },
  };
}

export function createOwnerStore(db: PostgresDatabase): OwnerStore {
  const { ownerId } = db;
  return {
    ...createOwnerReads(db),
    savePassphrase: (derived, at) =>
      db.transact(async (queries) => {
        await writeSetting(queries, ownerId, PASSPHRASE_SETTING, derived);
        await writeSetting(queries, ownerId, PASSPHRASE_TIME_SETTING, at);
      }),
    setSeenEvent: (eventId) => writeSetting(db, ownerId, SEEN_EVENT_SETTING, String(eventId)),
    async addSession({ hash, createdAt, seenAt, expiresAt, userAgent }) {
      await db.run(sql`
        insert into sessions (owner_id, session_hash, created_at, seen_at, expires_at, user_agent)
        values (${ownerId}, ${hash}, ${createdAt}, ${seenAt}, ${expiresAt}, ${userAgent})`);
    },
    async updateSession({ hash, seenAt, expiresAt }) {
      await db.run(sql`update sessions set seen_at = ${seenAt}, expires_at = ${expiresAt}
        where owner_id = ${ownerId} and session_hash = ${hash}`);
    },
    listSessions: ({ now, seenAfter, limit }) =>
      db.query(sql`select ${sessionColumns} from sessions
        where owner_id = ${ownerId} and expires_at > ${now} and seen_at > ${seenAfter}
        order by seen_at desc, session_hash limit ${limit}`),
    async deleteEndedSessions({ now, seenAfter }) {
      await db.run(sql`delete from sessions
        where owner_id = ${ownerId} and (expires_at <= ${now} or seen_at <= ${seenAfter})`);
    },
    async deleteSession(hash) {
      await db.run(sql`delete from sessions where owner_id = ${ownerId} and session_hash = ${hash}`);
    },
    deleteSessionsBefore: (time) =>
      db.run(sql`delete from sessions where owner_id = ${ownerId} and created_at < ${time}`),
    deleteAllSessions: () => db.run(sql`delete from sessions where owner_id = ${ownerId}`),
    async addSetupLink({ hash, createdAt, expiresAt, usedAt }) {
      await db.run(sql`insert into setup_links (owner_id, link_hash, created_at, expires_at, used_at)
        values (${ownerId}, ${hash}, ${createdAt}, ${expiresAt}, ${usedAt})`);
    },
    async findSetupLink(hash) {
      const [row] = await db.query<StoredLink>(sql`
        select link_hash as hash, created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt"
        from setup_links where owner_id = ${ownerId} and link_hash = ${hash}`);
      return row;
    },
    async useSetupLink(hash, { now, latest }) {
      const used = await db.run(sql`update setup_links set used_at = ${now}
        where owner_id = ${ownerId} and link_hash = ${hash}
          and used_at is null and expires_at > ${now} and expires_at <= ${latest}`);
      return used === 1;
    },
    async deleteUnusedLinks() {
      await db.run(sql`delete from setup_links where owner_id = ${ownerId} and used_at is null`);
    },
  };
}
