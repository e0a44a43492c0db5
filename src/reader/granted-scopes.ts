import type { GrantedStreamTerms } from '../grants/grant.ts';
import { type Catalog, type CatalogStream, findStream } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Field } from '../schema-index/field.ts';
import { createGrantedStream, findTarget, type GrantedScope, type GrantedStream } from './granted-stream.ts';

/** The granted streams as tools see them, each with the scope that limits its reads. */
export class GrantedScopes {
  readonly streams: readonly GrantedStream[];
  readonly #scopes = new Map<GrantedStream, GrantedScope>();

  constructor(catalog: Catalog, terms: readonly GrantedStreamTerms[]) {
    const scopes = terms.flatMap((one) => {
      const stream = findStream(catalog, one.connection_id, one.stream);
      return (stream && createScope(stream, one)) ?? [];
    });
    this.streams = scopes.map((scope) => {
      const stream = createGrantedStream(scope, scopes);
      this.#scopes.set(stream, scope);
      return stream;
    });
  }

  /** Returns the scope of a stream. Only streams created here have one, so a caller cannot forge a stream. */
  of(stream: GrantedStream): GrantedScope {
    const scope = this.#scopes.get(stream);
    if (scope === undefined) throw new Error('a stream of another grant reached the reader');
    return scope;
  }

  /** Returns the names of the owner in the account of a stream. */
  selfNames(stream: GrantedStream): readonly string[] {
    return this.of(stream).stream.self;
  }

  /** Returns the target stream of a relation. It is always granted. */
  target(stream: GrantedStream, relation: Relationship): GrantedStream {
    const scope = findTarget(relation, this.of(stream).stream, [...this.#scopes.values()]);
    const entry = [...this.#scopes].find(([, other]) => other === scope);
    if (entry === undefined) throw new Error('a relation left the grant');
    return entry[0];
  }
}

/** Returns the scope of a stream, or undefined if the granted time window no longer applies to it. */
function createScope(stream: CatalogStream, terms: GrantedStreamTerms): GrantedScope | undefined {
  // The window applies to one time field. If the stream has another one now, nothing can be shown.
  const windowed = terms.since !== undefined || terms.until !== undefined;
  if (windowed && stream.timeField?.name !== terms.time_field) return undefined;
  const fieldNames = terms.fields.filter((name) => stream.fields.has(name));
  return {
    stream,
    fields: new Set(fieldNames),
    fieldNames: [...new Set(fieldNames)],
    since: terms.since,
    until: terms.until,
    keys: terms.keys === undefined ? undefined : new Set(terms.keys),
  };
}

export function fieldOf(stream: GrantedStream, name: string): Field {
  const field = stream.fields.get(name);
  if (field === undefined) throw new Error('a field outside the grant reached the reader');
  return field;
}
