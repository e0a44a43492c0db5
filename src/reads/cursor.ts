import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { flattenedDecrypt } from 'jose';
import { AppError } from '../errors.ts';
import { hint, wording } from '../text/hint.ts';

/** What a handle continues. A handle of one kind is nothing to the others. */
export type CursorKind = 'page' | 'changes' | 'changes-page' | 'search';

/**
 * Handles that carry a place in a result. They are encrypted, because a place holds values; bound to the
 * grant and the query, because a handle is a name and not a key; and they expire. Everything they are
 * bound to is authenticated, not sent: a handle stays about a hundred characters.
 */
export interface Cursors {
  seal(kind: CursorKind, query: unknown, place: unknown): string;
  open<T>(kind: CursorKind, query: unknown, cursor: string): Promise<T>;
}

const PROTECTED = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM' })).toString('base64url');
/** RFC 7518 §5.3: a nonce of 96 bits, of which no two may be the same under one key. */
const NONCE_BYTES = 12;
const LIFETIME_MINUTES: Record<CursorKind, number> = {
  page: 24 * 60,
  'changes-page': 24 * 60,
  search: 24 * 60,
  changes: 90 * 24 * 60,
};
const MOST_CHARACTERS = 8_000;

export function createCursors(key: Uint8Array, scope: string, now: Date): Cursors {
  const minute = Math.floor(now.getTime() / 60_000);
  const bind = (kind: CursorKind, query: unknown) =>
    createHash('sha256')
      .update(JSON.stringify([kind, scope, query]))
      .digest('base64url');

  return {
    // Made by Node itself, because the library's way goes through a thread and costs ten times as much.
    // It is the library that opens every one of them.
    seal(kind, query, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      // RFC 7516 §5.1, step 14: what is authenticated is the header and what was given, as they are encoded.
      cipher.setAAD(Buffer.from(`${PROTECTED}.${bind(kind, query)}`));
      const plain = JSON.stringify([minute + LIFETIME_MINUTES[kind], place]);
      const sealed = [Buffer.concat([cipher.update(plain), cipher.final()]), cipher.getAuthTag()];
      return [nonce, ...sealed].map((part) => part.toString('base64url')).join('.');
    },

    async open<T>(kind: CursorKind, query: unknown, cursor: string) {
      const [iv, ciphertext, tag, ...rest] = cursor.length > MOST_CHARACTERS ? [] : cursor.split('.');
      if (iv === undefined || ciphertext === undefined || tag === undefined || rest.length > 0)
        throw invalidCursor();
      const aad = bind(kind, query);
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
    hint: hint`Repeat the call that gave it with the same ${wording('arguments', 'options')}, or start again without ${wording('a cursor', '--cursor')}.`,
  });
}
