import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../secrets/derive-key.ts';
import { createToken, hashToken } from '../secrets/token.ts';
import type { Store } from '../store/store.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';

const MAX_IDLE_MS = 7 * DAY_MS;
const MAX_AGE_MS = 30 * DAY_MS;
const SEEN_INTERVAL_MS = MINUTE_MS;
const MAX_LISTED_SESSIONS = 50;

export interface OpenSession {
  readonly userAgent: string | undefined;
  readonly since: string;
  readonly lastSeen: string;
  /** Whether it is the session of the requesting browser. */
  readonly here: boolean;
}

/** Stores the owner's sessions as hashes, and signs values in forms and cookies. */
export function createSessions(store: Store) {
  return { ...createSignatures(deriveKey(store.secret, 'csrf')), ...createSessionStore(store) };
}

function createSignatures(key: Buffer) {
  const csrf = (value: string) => createHmac('sha256', key).update(value).digest('base64url');
  const isSame = (sent: string, expected: string) => {
    const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
    return a.length === b.length && timingSafeEqual(a, b);
  };
  return {
    /** Returns the CSRF token for a cookie. It proves that a form came from a page in the browser with this cookie. */
    csrf,
    isCsrf: (value: string, sent: string) => isSame(sent, csrf(value)),
    /** Returns a signed id for a browser in which the owner has signed in. */
    createKnownBrowser(): string {
      const id = createToken();
      return `${id}.${csrf(`mark ${id}`)}`;
    },
    isKnownBrowser(cookie: string): boolean {
      const [id = '', signature = ''] = cookie.split('.');
      return isSame(signature, csrf(`mark ${id}`));
    },
  };
}

function createSessionStore({ read, write }: Store) {
  return {
    /** Opens a session and returns the value of its cookie, of which only the hash is stored. */
    async open(userAgent: string | undefined, now: Date): Promise<string> {
      const value = createToken();
      await write.owner.deleteEndedSessions(limitsAt(now));
      await write.owner.addSession({
        hash: hashToken(value),
        createdAt: now.toISOString(),
        seenAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + MAX_AGE_MS).toISOString(),
        userAgent: userAgent?.slice(0, 200) ?? null,
      });
      return value;
    },
    async isOpen(value: string, now: Date): Promise<boolean> {
      const session = await read.owner.findSession(hashToken(value));
      if (session === undefined) return false;
      const [idle, end] = [now.getTime() - Date.parse(session.seenAt), Date.parse(session.expiresAt)];
      if (end <= now.getTime() || idle >= MAX_IDLE_MS) return false;
      if (idle >= SEEN_INTERVAL_MS || idle < 0) {
        // If the clock was ahead, the stored end may be too late: the first use corrects it.
        const expiresAt = new Date(Math.min(end, now.getTime() + MAX_AGE_MS)).toISOString();
        await write.owner.updateSession({ hash: session.hash, seenAt: now.toISOString(), expiresAt });
      }
      return true;
    },
    /** Lists the open sessions, last seen first. `value` is the cookie of the requesting browser. */
    async list(value: string, now: Date): Promise<OpenSession[]> {
      const sessions = await write.owner.listSessions({ ...limitsAt(now), limit: MAX_LISTED_SESSIONS });
      return sessions.map(({ hash, createdAt, seenAt, userAgent }) => ({
        userAgent: userAgent ?? undefined,
        since: createdAt,
        lastSeen: seenAt,
        here: hash === hashToken(value),
      }));
    },
    close: (value: string) => write.owner.deleteSession(hashToken(value)),
    closeAll: () => write.owner.deleteAllSessions(),
  };
}

/** Returns the limits of open sessions: they expire after `now` and were last seen after `seenAfter`. */
function limitsAt(now: Date): { now: string; seenAfter: string } {
  return { now: now.toISOString(), seenAfter: new Date(now.getTime() - MAX_IDLE_MS).toISOString() };
}
