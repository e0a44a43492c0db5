import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../secrets/derive-key.ts';
import { createToken, hashToken } from '../secrets/token.ts';
import type { Store } from '../store/open-store.ts';

const DAY_MS = 86_400_000;
const IDLE_MS = 7 * DAY_MS;
const LONGEST_MS = 30 * DAY_MS;
const SEEN_EVERY_MS = 60_000;
const MOST_LISTED = 50;

/** A signed-in browser, as its owner may know it again. */
export interface OpenSession {
  readonly userAgent: string | undefined;
  readonly since: string;
  readonly lastSeen: string;
  /** It is the one whose value was given. */
  readonly here: boolean;
}

export interface Sessions {
  /** A new session; its value goes into the cookie and is kept only as a hash. */
  open(userAgent: string | undefined, now: Date): Promise<string>;
  isOpen(value: string, now: Date): Promise<boolean>;
  /** The open ones, last seen first; `value` is the one that asks. */
  list(value: string, now: Date): Promise<OpenSession[]>;
  close(value: string): Promise<void>;
  closeAll(): Promise<void>;
  /** What a form must carry to have come from a page of this cookie's browser. */
  csrf(value: string): string;
  isCsrf(value: string, given: string): boolean;
  /** A mark for a browser in which the owner has signed in, which nobody else can make. */
  createMark(): string;
  isMark(mark: string): boolean;
}

/** The owner's signed-in browsers. */
export function createSessions(store: Store): Sessions {
  const { db } = store.write;
  const key = deriveKey(store.secret, 'csrf');
  const csrf = (value: string) => createHmac('sha256', key).update(value).digest('base64url');
  const isSame = (given: string, expected: string) => {
    const [a, b] = [Buffer.from(given), Buffer.from(expected)];
    return a.length === b.length && timingSafeEqual(a, b);
  };
  return {
    async open(userAgent, now) {
      const value = createToken();
      await db
        .deleteFrom('sessions')
        .where((eb) =>
          eb.or([
            eb('expires_at', '<=', now.toISOString()),
            eb('seen_at', '<=', new Date(now.getTime() - IDLE_MS).toISOString()),
          ]),
        )
        .execute();
      await db
        .insertInto('sessions')
        .values({
          session_hash: hashToken(value),
          created_at: now.toISOString(),
          seen_at: now.toISOString(),
          expires_at: new Date(now.getTime() + LONGEST_MS).toISOString(),
          user_agent: userAgent?.slice(0, 200) ?? null,
        })
        .execute();
      return value;
    },
    async isOpen(value, now) {
      const row = await store.read.db
        .selectFrom('sessions')
        .select(['seen_at', 'expires_at'])
        .where('session_hash', '=', hashToken(value))
        .executeTakeFirst();
      if (row === undefined) return false;
      const idle = now.getTime() - Date.parse(row.seen_at);
      if (Date.parse(row.expires_at) <= now.getTime() || idle >= IDLE_MS) return false;
      if (idle >= SEEN_EVERY_MS || idle < 0) {
        // Dates that lie too far ahead are of a clock that was wrong; they are put right with the first use.
        const latest = new Date(Math.min(Date.parse(row.expires_at), now.getTime() + LONGEST_MS));
        await db
          .updateTable('sessions')
          .set({ seen_at: now.toISOString(), expires_at: latest.toISOString() })
          .where('session_hash', '=', hashToken(value))
          .execute();
      }
      return true;
    },
    async list(value, now) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('expires_at', '>', now.toISOString())
        .where('seen_at', '>', new Date(now.getTime() - IDLE_MS).toISOString())
        .orderBy('seen_at', 'desc')
        .limit(MOST_LISTED)
        .execute();
      return rows.map((row) => ({
        userAgent: row.user_agent ?? undefined,
        since: row.created_at,
        lastSeen: row.seen_at,
        here: row.session_hash === hashToken(value),
      }));
    },
    async close(value) {
      await db.deleteFrom('sessions').where('session_hash', '=', hashToken(value)).execute();
    },
    async closeAll() {
      await db.deleteFrom('sessions').execute();
    },
    csrf,
    isCsrf: (value, given) => isSame(given, csrf(value)),
    createMark() {
      const id = createToken();
      return `${id}.${csrf(`mark ${id}`)}`;
    },
    isMark(mark) {
      const [id = '', seal = ''] = mark.split('.');
      return isSame(seal, csrf(`mark ${id}`));
    },
  };
}
