import { sql } from 'kysely';
import type { OwnerReads, OwnerStore } from '../owner-store.ts';
import { PASSPHRASE_SETTING, PASSPHRASE_TIME_SETTING, SEEN_EVENT_SETTING } from '../setting-names.ts';
import { readSetting, writeSetting } from './settings.ts';
import { type Queries, run } from './sqlite.ts';
import type { Tables } from './tables.ts';

const sessionColumns = [
  'session_hash as hash',
  'created_at as createdAt',
  'seen_at as seenAt',
  'expires_at as expiresAt',
  'user_agent as userAgent',
] as const;

const linkColumns = [
  'link_hash as hash',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'used_at as usedAt',
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
      // Stores of earlier versions know only the link that set the passphrase.
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
    async addSession({ hash, createdAt, seenAt, expiresAt, userAgent }) {
      await run(
        db,
        sql`insert into sessions (session_hash, created_at, seen_at, expires_at, user_agent)
        values (${hash}, ${createdAt}, ${seenAt}, ${expiresAt}, ${userAgent})`,
      );
    },
    async updateSession({ hash, seenAt, expiresAt }) {
      await run(
        db,
        sql`update sessions set seen_at = ${seenAt}, expires_at = ${expiresAt} where session_hash = ${hash}`,
      );
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
      await run(db, sql`delete from sessions where expires_at <= ${now} or seen_at <= ${seenAfter}`);
    },
    async deleteSession(hash) {
      await run(db, sql`delete from sessions where session_hash = ${hash}`);
    },
    deleteSessionsBefore: (time) => run(db, sql`delete from sessions where created_at < ${time}`),
    deleteAllSessions: () => run(db, sql`delete from sessions`),
    async addSetupLink({ hash, createdAt, expiresAt, usedAt }) {
      await run(
        db,
        sql`insert into setup_links (link_hash, created_at, expires_at, used_at)
        values (${hash}, ${createdAt}, ${expiresAt}, ${usedAt})`,
      );
    },
    findSetupLink: (hash) =>
      db.selectFrom('setup_links').select(linkColumns).where('link_hash', '=', hash).executeTakeFirst(),
    async useSetupLink(hash, { now, latest }) {
      const used = await run(
        db,
        sql`update setup_links set used_at = ${now} where link_hash = ${hash}
        and used_at is null and expires_at > ${now} and expires_at <= ${latest}`,
      );
      return used === 1;
    },
    async deleteUnusedLinks() {
      await run(db, sql`delete from setup_links where used_at is null`);
    },
  };
}
