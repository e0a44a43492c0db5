import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { flattenedDecrypt } from 'jose';
import { AppError } from '../errors.ts';
import type { Condition } from '../filter/filter.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { hint, wording } from '../text/hint.ts';
import { MINUTE_MS } from '../time/durations.ts';

/** What a read is given: the granted reader and nothing else that reads. */
export interface ReadContext {
  readonly reader: GrantedReader;
  readonly cursors: Cursors;
  /** Where records can be opened in a browser. */
  readonly origin: string;
  readonly now: Date;
  readonly requestId: string;
}

/** What was read, in names and numbers, for the audit. */
export interface Disclosure {
  readonly connectionIds: readonly string[];
  readonly streams: readonly string[];
  readonly fields: readonly string[];
  readonly records: number;
  /** Visible records that were gone over, where they are more than were given out. */
  readonly touched?: number;
  /** How they were added up, in names of fields. */
  readonly way?: string;
}

export interface ReadAnswer<Body extends object = Record<string, unknown>> {
  readonly body: Body;
  /** What the body costs a model, where that is known. */
  readonly tokens?: number;
  readonly disclosure: Disclosure;
}

/** A read of records that leaves an audit entry: a tool, or a page that shows records. */
export interface GrantedRead<Input = unknown, Body extends object = Record<string, unknown>> {
  /** The tool that the audit files it under. */
  readonly name: string;
  run(input: Input, context: ReadContext): Promise<ReadAnswer<Body>>;
}

/** Returns the disclosure of an answer: its streams, the fields shown or asked about, and how many records. */
export function disclose(
  streams: readonly GrantedStream[],
  fields: Iterable<string>,
  records: number,
  related: readonly Related[] = [],
): Disclosure {
  const all = [...streams, ...related.map((one) => one.stream)];
  return {
    connectionIds: [...new Set(all.map((stream) => stream.connection.connection_id))],
    streams: [...new Set(all.map((stream) => stream.name))],
    fields: [...new Set([...fields, ...related.flatMap((one) => [...one.stream.fields.keys()])])],
    records: records + related.reduce((sum, one) => sum + one.records, 0),
  };
}

/** Records of another stream that were shown beside a record. */
export interface Related {
  readonly stream: GrantedStream;
  readonly records: number;
}

/** The fields that a call shows, filters or sorts by, over all its streams. */
export function namedFields(
  streams: readonly GrantedStream[],
  shown: readonly string[] | undefined,
  conditions: ReadonlyMap<GrantedStream, readonly Condition[]> = new Map(),
): string[] {
  const asked = [...conditions.values()].flat().flatMap(({ through, field }) => through ?? field.name);
  return [...(shown ?? streams.flatMap((stream) => [...stream.fields.keys()])), ...asked];
}

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
const MAX_CHARACTERS = 8_000;

export function createCursors(key: Uint8Array, scope: string, now: Date): Cursors {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
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
      const [iv, ciphertext, tag, ...rest] = cursor.length > MAX_CHARACTERS ? [] : cursor.split('.');
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
    hint: hint`Repeat the call that returned it with the same ${wording('arguments', 'options')}, or start again without ${wording('a cursor', '--cursor')}.`,
  });
}
