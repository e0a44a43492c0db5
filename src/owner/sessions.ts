import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../secrets/derive-key.ts';
import { createToken, hashToken } from '../secrets/token.ts';
import type { Store } from '../store/store.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';

const IDLE_MS = 7 * DAY_MS;
const MAX_AGE_MS = 30 * DAY_MS;
const SEEN_EVERY_MS = MINUTE_MS;
const MAX_LISTED = 50;

export interface OpenSession {
  readonly userAgent: string | undefined;
  readonly since: string;
  readonly lastSeen: string;
  /** It is the one whose value was given. */
  readonly here: boolean;
}

export function createSessions(store: Store) {
  const key = deriveKey(store.secret, 'csrf');
  /** What a form must carry to have come from a page of this cookie's browser. */
  const csrf = (value: string) => createHmac('sha256', key).update(value).digest('base64url');
  const isSame = (given: string, expected: string) => {
    const [a, b] = [Buffer.from(given), Buffer.from(expected)];
    return a.length === b.length && timingSafeEqual(a, b);
  };
  return {
    /** A new session; its value goes into the cookie and is kept only as a hash. */
    async open(userAgent: string | undefined, now: Date): Promise<string> {
      const value = createToken();
      await store.write.owner.deleteEndedSessions(limitsAt(now));
      await store.write.owner.addSession({
        hash: hashToken(value),
        createdAt: now.toISOString(),
        seenAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + MAX_AGE_MS).toISOString(),
        userAgent: userAgent?.slice(0, 200) ?? null,
      });
      return value;
    },
    async isOpen(value: string, now: Date): Promise<boolean> {
      const session = await store.read.owner.findSession(hashToken(value));
      if (session === undefined) return false;
      const [idle, end] = [now.getTime() - Date.parse(session.seenAt), Date.parse(session.expiresAt)];
      if (end <= now.getTime() || idle >= IDLE_MS) return false;
      if (idle >= SEEN_EVERY_MS || idle < 0) {
        // Dates that lie too far ahead are of a clock that was wrong; they are put right with the first use.
        const latest = new Date(Math.min(end, now.getTime() + MAX_AGE_MS));
        await store.write.owner.updateSession({
          hash: session.hash,
          seenAt: now.toISOString(),
          expiresAt: latest.toISOString(),
        });
      }
      return true;
    },
    /** The open ones, last seen first; `value` is the one that asks. */
    async list(value: string, now: Date): Promise<OpenSession[]> {
      const sessions = await store.write.owner.listSessions({ ...limitsAt(now), limit: MAX_LISTED });
      return sessions.map(({ hash, createdAt, seenAt, userAgent }) => ({
        userAgent: userAgent ?? undefined,
        since: createdAt,
        lastSeen: seenAt,
        here: hash === hashToken(value),
      }));
    },
    close: (value: string) => store.write.owner.deleteSession(hashToken(value)),
    closeAll: () => store.write.owner.deleteAllSessions(),
    csrf,
    isCsrf: (value: string, given: string) => isSame(given, csrf(value)),
    /** A mark for a browser in which the owner has signed in, which nobody else can make. */
    createMark(): string {
      const id = createToken();
      return `${id}.${csrf(`mark ${id}`)}`;
    },
    isMark(mark: string): boolean {
      const [id = '', seal = ''] = mark.split('.');
      return isSame(seal, csrf(`mark ${id}`));
    },
  };
}

/** A session is open if it ends after the first of these times and was used after the second. */
function limitsAt(now: Date): { now: string; seenAfter: string } {
  return { now: now.toISOString(), seenAfter: new Date(now.getTime() - IDLE_MS).toISOString() };
}
