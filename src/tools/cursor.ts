import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';

/** What a handle continues. A handle of one kind is nothing to the others. */
export type CursorKind = 'page' | 'changes' | 'changes-page' | 'search';

/**
 * Handles that carry a place in a result. They are encrypted, because a place holds values; bound to the
 * grant and the query, because a handle is a name and not a key; and they expire. Everything they are
 * bound to is authenticated, not sent: a handle stays about a hundred characters.
 */
export interface Cursors {
  seal(kind: CursorKind, query: unknown, place: unknown): Promise<string>;
  open<T>(kind: CursorKind, query: unknown, cursor: string): Promise<T>;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Handles have the form of a JWE (RFC 7516) with this header, which is not sent because it never differs. */
const PROTECTED = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM' })).toString('base64url');
const LIFETIME_MINUTES: Record<CursorKind, number> = {
  page: 24 * 60,
  'changes-page': 24 * 60,
  search: 24 * 60,
  changes: 90 * 24 * 60,
};
const MOST_CHARACTERS = 8_000;

export function createCursors(key: Uint8Array, grantId: string, now: Date): Cursors {
  const minute = Math.floor(now.getTime() / 60_000);
  const bind = (kind: CursorKind, query: unknown): Buffer => {
    const bound = createHash('sha256').update(JSON.stringify([kind, grantId, query]));
    return Buffer.from(`${PROTECTED}.${bound.digest('base64url')}`);
  };

  return {
    async seal(kind, query, place) {
      const plain = JSON.stringify([minute + LIFETIME_MINUTES[kind], place]);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(bind(kind, query));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.');
    },

    async open<T>(kind: CursorKind, query: unknown, cursor: string) {
      const [iv, sealed, tag, ...rest] = cursor.length > MOST_CHARACTERS ? [] : cursor.split('.').map(decode);
      if (iv?.length !== IV_BYTES || sealed === undefined || tag?.length !== TAG_BYTES || rest.length > 0)
        throw invalidCursor();
      const cipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(bind(kind, query))
        .setAuthTag(tag);
      const plain = cipher.update(sealed, undefined, 'utf8') + finish(cipher);
      const [expires, place] = JSON.parse(plain) as [number, T];
      if (expires < minute) throw invalidCursor();
      return place;
    },
  };
}

/** What was read so far counts only when this has not thrown. */
function finish(cipher: ReturnType<typeof createDecipheriv>): string {
  try {
    return cipher.final('utf8');
  } catch {
    throw invalidCursor();
  }
}

/** One spelling per handle: what decodes to the same bytes and is written otherwise is no handle. */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** A change number with always the same number of digits: a handle's length must not tell how much is stored. */
export function writeSeq(seq: number): string {
  return String(seq).padStart(14, '0');
}

export function invalidCursor(): AppError {
  return new AppError('invalid_cursor', 'The cursor is damaged, has expired, or belongs to another query.', {
    hint: 'Repeat the call that gave it with the same arguments, or start again without a cursor.',
  });
}
