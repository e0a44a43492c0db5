import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { flattenedDecrypt } from 'jose';
import { AppError } from '../errors.ts';
import type { Condition } from '../filter/filter.ts';
import { cursorScope, type Grant } from '../grants/grant.ts';
import { ownerTerms } from '../grants/resolve-grant.ts';
import { type ReadVersions, withVersions } from '../limits/call-context.ts';
import { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { type Catalog, loadCatalog } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/store.ts';
import { hint, wording } from '../text/hint.ts';
import { writeJson } from '../text/json.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { Dictionary } from '../words/spellings.ts';

/** The context of a read. Only the granted reader can read data. */
export interface ReadContext {
  readonly reader: GrantedReader;
  readonly cursors: Cursors;
  /** The origin of record URLs. */
  readonly origin: string;
  readonly now: Date;
  readonly requestId: string;
}

/** What an answer disclosed, without values, for the audit. */
export interface Disclosure {
  readonly connectionIds: readonly string[];
  readonly streams: readonly string[];
  readonly fields: readonly string[];
  readonly records: number;
  /** The number of visible records that were read, if more than were returned. */
  readonly touched?: number;
  /** How records were aggregated, with the names of the fields. */
  readonly way?: string;
}

export interface ReadAnswer<Body extends object = Record<string, unknown>> {
  readonly body: Body;
  /** The number of tokens in the body, if known. */
  readonly tokens?: number;
  readonly disclosure: Disclosure;
}

export interface NamedRead {
  /** The tool named in the audit entry. */
  readonly name: string;
  /** The name of the read in workers. Not for tools. Its input is plain data. */
  readonly inWorker?: string;
}

/** A read of records with an audit entry: a tool, or a page that shows records. */
export interface GrantedRead<Input = unknown, Body extends object = Record<string, unknown>>
  extends NamedRead {
  run(input: Input, context: ReadContext): Promise<ReadAnswer<Body>>;
}

/** Returns the disclosure of an answer: its streams, the fields shown or asked about, and the number of records. */
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

/** Records of another stream that were shown with a record. */
export interface Related {
  readonly stream: GrantedStream;
  readonly records: number;
}

/** Returns the fields that a call shows or filters by, over all its streams. */
export function namedFields(
  streams: readonly GrantedStream[],
  shown: readonly string[] | undefined,
  conditions: ReadonlyMap<GrantedStream, readonly Condition[]> = new Map(),
): string[] {
  const asked = [...conditions.values()].flat().flatMap(({ through, field }) => through ?? field.name);
  return [...(shown ?? streams.flatMap((stream) => [...stream.fields.keys()])), ...asked];
}

/** What a cursor continues. A cursor of one kind is invalid for the others. */
export type CursorKind = 'page' | 'changes' | 'changes-page' | 'search';

/**
 * Cursors hold a position in a result. They are encrypted, because a position contains values; they are bound to the
 * grant and the query; and they expire. The grant and query are authenticated, not sent, so that cursors stay short.
 */
export interface Cursors {
  seal(kind: CursorKind, query: unknown, position: unknown): string;
  open<T>(kind: CursorKind, query: unknown, cursor: string): Promise<T>;
}

const PROTECTED = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM' })).toString('base64url');
/** RFC 7518 §5.3: a nonce of 96 bits, unique per key. */
const NONCE_BYTES = 12;
const LIFETIME_MINUTES: Record<CursorKind, number> = {
  page: 24 * 60,
  'changes-page': 24 * 60,
  search: 24 * 60,
  changes: 90 * 24 * 60,
};
const MAX_CURSOR_CHARACTERS = 8_000;

export function createCursors(key: Uint8Array, scope: string, now: Date): Cursors {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  const bind = (kind: CursorKind, query: unknown) =>
    createHash('sha256')
      .update(JSON.stringify([kind, scope, query]))
      .digest('base64url');

  return {
    // Node's cipher: jose encrypts in a thread pool, which costs ten times as much. jose decrypts.
    seal(kind, query, position) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      // RFC 7516 §5.1, step 14: the encoded header and the encoded additional data are authenticated.
      cipher.setAAD(Buffer.from(`${PROTECTED}.${bind(kind, query)}`));
      const plain = JSON.stringify([minute + LIFETIME_MINUTES[kind], position]);
      const sealed = [Buffer.concat([cipher.update(plain), cipher.final()]), cipher.getAuthTag()];
      return [nonce, ...sealed].map((part) => part.toString('base64url')).join('.');
    },

    async open<T>(kind: CursorKind, query: unknown, cursor: string) {
      const [iv, ciphertext, tag, ...rest] = cursor.length > MAX_CURSOR_CHARACTERS ? [] : cursor.split('.');
      if (iv === undefined || ciphertext === undefined || tag === undefined || rest.length > 0)
        throw invalidCursor();
      const aad = bind(kind, query);
      const { plaintext } = await flattenedDecrypt(
        { protected: PROTECTED, aad, iv, ciphertext, tag },
        key,
      ).catch(() => {
        throw invalidCursor();
      });
      const [expires, position] = JSON.parse(Buffer.from(plaintext).toString()) as [number, T];
      if (expires < minute) throw invalidCursor();
      return position;
    },
  };
}

/** Formats a change number with a fixed number of digits: the length of a cursor must not reveal how much is stored. */
export function writeSeq(seq: number): string {
  return String(seq).padStart(14, '0');
}

export function invalidCursor(): AppError {
  return new AppError('invalid_cursor', 'The cursor is damaged, has expired, or belongs to another query.', {
    hint: hint`Repeat the call that returned it with the same ${wording('arguments', 'options')}, or start again without ${wording('a cursor', '--cursor')}.`,
  });
}

export interface PerformOptions {
  /** Undefined for the owner, who may read everything. */
  readonly grant: Grant | undefined;
  readonly requestId: string;
  readonly now: Date;
  /** The catalog, if the request has already loaded it. */
  readonly catalog?: Catalog | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The versions of the store when the call came in, if they are known. */
  readonly versions?: ReadVersions | undefined;
}

/** The result of a read. */
export interface Performed<Body extends object> {
  readonly body: Body;
  /** Exactly JSON.stringify(body). */
  readonly text: string;
  readonly tokens?: number | undefined;
  readonly disclosure: Disclosure;
}

/** Runs a read with the granted reader of its caller, after admission and before the audit. */
export type PerformRead = <Input, Body extends object>(
  read: GrantedRead<Input, Body>,
  input: Input,
  options: PerformOptions,
) => Promise<Performed<Body>>;

export interface PerformDeps {
  readonly store: ReadStore;
  readonly cursorKey: Uint8Array;
  readonly dictionary: Dictionary;
  readonly origin: string;
}

/** Runs reads in this thread. */
export function createPerformer({ store, cursorKey, dictionary, origin }: PerformDeps): PerformRead {
  // A WeakMap by grant, or by catalog for the owner. A reader has no request state and lives as long as its key.
  const readers = new WeakMap<object, { catalog: Catalog; reader: GrantedReader }>();

  const getReader = (grant: Grant | undefined, catalog: Catalog): GrantedReader => {
    const key = grant ?? catalog;
    const known = readers.get(key);
    if (known?.catalog === catalog) return known.reader;
    const reader = new GrantedReader(store, catalog, grant?.streams ?? ownerTerms(catalog), dictionary);
    readers.set(key, { catalog, reader });
    return reader;
  };

  return (read, input, { grant, requestId, now, catalog, versions }) => {
    const perform = async () => {
      const { body, tokens, disclosure } = await read.run(input, {
        reader: getReader(grant, catalog ?? (await loadCatalog(store))),
        cursors: createCursors(cursorKey, grant === undefined ? 'owner' : cursorScope(grant), now),
        origin,
        now,
        requestId,
      });
      return { body, text: writeJson(body), tokens, disclosure };
    };
    return versions === undefined ? perform() : withVersions(versions, perform);
  };
}
