import { ME } from '../filter/filter.ts';
import type { Connection } from '../schema-index/catalog.ts';
import { AUTHOR_FIELDS, OWNER_FLAGS } from '../schema-index/person-field.ts';
import type { Condition } from '../store/conditions.ts';
import type { AuthorPart, FieldValues, NamedKey, RecordReads } from '../store/record-reads.ts';
import type { FieldKind, FieldRef, Scope } from '../store/scope.ts';
import type { GrantedReader } from './granted-reader.ts';
import { fieldOf, type GrantedScopes } from './granted-scopes.ts';
import type { GrantedStream } from './granted-stream.ts';

/** Looks up values of fields, and keys and names of visible records, for filters, labels and descriptions. */
export class GrantedLookups {
  readonly #records: RecordReads;
  readonly #scopes: GrantedScopes;
  readonly #cached: GrantedReader['cached'];

  constructor(records: RecordReads, scopes: GrantedScopes, cached: GrantedReader['cached']) {
    this.#records = records;
    this.#scopes = scopes;
    this.#cached = cached;
  }

  /** Returns the values of a field that several streams share. */
  async values(streams: readonly GrantedStream[], name: string, limit: number): Promise<FieldValues> {
    const [first] = streams as [GrantedStream];
    const scopes = streams.map((stream) => this.#scopes.of(stream));
    return this.#cached('values', streams, [name, String(limit)], () =>
      this.#records.values(scopes, fieldOf(first, name), limit),
    );
  }

  /** Returns values of a shared field that contain a text. */
  async valuesContaining(
    streams: readonly GrantedStream[],
    name: string,
    text: string,
    limit: number,
  ): Promise<string[]> {
    const parts = streams.map((stream) => ({ scope: this.#scopes.of(stream), field: fieldOf(stream, name) }));
    return this.#records.valuesContaining(parts, text, limit);
  }

  /**
   * Returns the values of a field that mean the owner: names of the account, and authors of visible records that the owner
   * wrote, if visible records have them in this field.
   */
  async owner(stream: GrantedStream, name: string): Promise<readonly string[]> {
    const field = fieldOf(stream, name);
    if (field.person !== true) return [];
    return this.#cached('owner', [stream], [name], async () => {
      const known = [...this.#scopes.selfNames(stream), ...(await this.#flaggedAuthors(stream.connection))];
      const names = new Set([ME, ...known.flatMap((one) => [one, one.toLowerCase()])]);
      return this.#records.valuesAmong(this.#scopes.of(stream), field, [...names]);
    });
  }

  async #flaggedAuthors({ connection_id }: Connection): Promise<string[]> {
    const parts = this.#scopes.streams
      .filter((stream) => stream.connection.connection_id === connection_id)
      .flatMap((stream) => findAuthorPart(this.#scopes.of(stream)) ?? []);
    return this.#cached('flagged authors', [], [connection_id], () => this.#records.flaggedAuthors(parts));
  }

  /** Returns the titles of visible records by key, in order of key. Long titles are cut. */
  async names(stream: GrantedStream, keys: readonly string[]): Promise<readonly NamedKey[]> {
    const { titleField } = stream;
    if (titleField === undefined) return [];
    return this.#records.names(this.#scopes.of(stream), fieldOf(stream, titleField), keys);
  }

  /** Returns the keys that visible records have. */
  async knownKeys(stream: GrantedStream, keys: readonly string[]): Promise<readonly string[]> {
    return this.#records.knownKeys(this.#scopes.of(stream), keys);
  }

  /** Returns the first keys of visible records that match conditions, in order. */
  async keysWhere(
    stream: GrantedStream,
    conditions: readonly Condition[],
    limit: number,
  ): Promise<readonly string[]> {
    return this.#records.keysWhere(this.#scopes.of(stream), conditions, limit);
  }

  /** Returns visible records whose field has one of these names, ignoring case. */
  async named(
    stream: GrantedStream,
    name: string,
    names: readonly string[],
    limit: number,
  ): Promise<readonly NamedKey[]> {
    return this.#records.named(this.#scopes.of(stream), fieldOf(stream, name), names, limit);
  }
}

/** Returns the flag and author fields that identify records the owner wrote, if the stream has them. */
function findAuthorPart(scope: Scope): AuthorPart | undefined {
  const flag = OWNER_FLAGS.flatMap((name) => findSlotField(scope, name, 'boolean') ?? [])[0];
  if (flag === undefined) return undefined;
  return {
    scope,
    flag,
    authors: AUTHOR_FIELDS.flatMap((name) => findSlotField(scope, name, 'string') ?? []),
  };
}

function findSlotField({ stream, fields }: Scope, name: string, kind: FieldKind): FieldRef | undefined {
  const field =
    fields.has(name) && stream.plan.slots[name] !== undefined ? stream.fields.get(name) : undefined;
  return field?.kind === kind ? field : undefined;
}
