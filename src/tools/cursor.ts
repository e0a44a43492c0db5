import { createHash } from 'node:crypto';
import { FlattenedEncrypt, flattenedDecrypt } from 'jose';
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

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
const PROTECTED = Buffer.from(JSON.stringify(HEADER)).toString('base64url');
const LIFETIME_MINUTES: Record<CursorKind, number> = {
  page: 24 * 60,
  'changes-page': 24 * 60,
  search: 24 * 60,
  changes: 90 * 24 * 60,
};
const MOST_CHARACTERS = 8_000;

export type CursorKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The key in the form the cipher takes it. Made once: importing it costs as much as using it. */
export function importCursorKey(bytes: Uint8Array): Promise<CursorKey> {
  return crypto.subtle.importKey('raw', new Uint8Array(bytes), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

export function createCursors(key: CursorKey, grantId: string, now: Date): Cursors {
  const minute = Math.floor(now.getTime() / 60_000);
  const bind = (kind: CursorKind, query: unknown) =>
    createHash('sha256')
      .update(JSON.stringify([kind, grantId, query]))
      .digest();

  return {
    async seal(kind, query, place) {
      const plain = Buffer.from(JSON.stringify([minute + LIFETIME_MINUTES[kind], place]));
      const sealed = await new FlattenedEncrypt(plain)
        .setProtectedHeader(HEADER)
        .setAdditionalAuthenticatedData(bind(kind, query))
        .encrypt(key);
      return `${sealed.iv}.${sealed.ciphertext}.${sealed.tag}`;
    },

    async open<T>(kind: CursorKind, query: unknown, cursor: string) {
      const [iv, ciphertext, tag, ...rest] = cursor.length > MOST_CHARACTERS ? [] : cursor.split('.');
      if (iv === undefined || ciphertext === undefined || tag === undefined || rest.length > 0)
        throw invalidCursor();
      const aad = bind(kind, query).toString('base64url');
      const { plaintext } = await flattenedDecrypt(
        { protected: PROTECTED, aad, iv, ciphertext, tag },
        key,
      ).catch(() => {
        throw invalidCursor();
      });
      const [expires, place] = JSON.parse(Buffer.from(plaintext).toString()) as [number, T];
      if (expires < minute) throw invalidCursor();
      return place;
    },
  };
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
