import type { GrantedStreamTerms } from '../grants/grant.ts';
import { type Catalog, type CatalogStream, findStream } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Field } from '../schema-index/field.ts';
import { createGrantedStream, findTarget, type GrantedScope, type GrantedStream } from './granted-stream.ts';

/** What a grant opens: the streams it names, as a tool may know them, and beside each the scope it is read with. */
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

  /** Only streams that were handed out here have a scope, so a stream cannot be made up. */
  of(stream: GrantedStream): GrantedScope {
    const scope = this.#scopes.get(stream);
    if (scope === undefined) throw new Error('a stream of another grant reached the reader');
    return scope;
  }

  /** How the account of a stream calls its owner. */
  selfNames(stream: GrantedStream): readonly string[] {
    return this.of(stream).stream.self;
  }

  /** The stream a relation leads to. Relations of a granted stream lead to granted streams only. */
  target(stream: GrantedStream, relation: Relationship): GrantedStream {
    const scope = findTarget(relation, this.of(stream).stream, [...this.#scopes.values()]);
    const entry = [...this.#scopes].find(([, other]) => other === scope);
    if (entry === undefined) throw new Error('a relation left the grant');
    return entry[0];
  }
}

/** The scope of a stream, or undefined when what was granted is no longer there. */
function createScope(stream: CatalogStream, terms: GrantedStreamTerms): GrantedScope | undefined {
  // The window was frozen on a field. If the stream is ordered by another one now, nothing can be shown.
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
