import type { GrantedStreamTerms } from '../grants/grant.ts';
import { type Catalog, type CatalogStream, type Connection, findStream } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Field } from '../schema-index/field.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import { PEOPLE_STREAM } from '../schema-index/person-field.ts';
import type { Sort } from '../store/record-reads.ts';
import type { Scope } from '../store/scope.ts';

/** The granted part of a stream. Tools get all their knowledge of a stream from here. */
export interface GrantedStream {
  readonly connection: Connection;
  readonly name: string;
  readonly description: string | undefined;
  /** What pages call the stream. */
  readonly label: string;
  /** What pages say about it. */
  readonly detail: string | undefined;
  /** The fields that the declaration suggests for a table. Some may not be granted. */
  readonly suggestedColumns: readonly string[];
  readonly primaryKey: readonly string[];
  readonly fields: ReadonlyMap<string, Field>;
  /** The field records are ordered by, if it is granted. */
  readonly timeField: Field | undefined;
  readonly relations: readonly Relationship[];
  /** The field that names a record, if it is granted. It is chosen by field name or by order in the declaration. */
  readonly titleField: string | undefined;
  /** Text fields, whose first words can stand in for a missing title. */
  readonly proseFields: readonly string[];
}

/** A scope with the catalog entry of its stream. */
export interface GrantedScope extends Scope {
  readonly stream: CatalogStream;
}

const PEOPLE_FIELD =
  /(^|_)(from|to|cc|sender|recipients?|authors?|attendees?|participants?|organi[sz]er|people|persons?|contacts?|artists?)(_names?)?$/i;

/** Whether a field names people, according to its own name. */
export function isPeopleField(field: string): boolean {
  return PEOPLE_FIELD.test(field);
}

const TITLE_NAMES = ['title', 'subject', 'name', 'summary', 'headline', 'label', 'track', 'display_name'];
/** Preferred in streams of people, where `title` is a job title. */
const PERSON_NAMES = ['real_name', 'full_name', 'display_name', 'name'];

export function createGrantedStream(scope: GrantedScope, all: readonly GrantedScope[]): GrantedStream {
  const { stream } = scope;
  const fields = new Map(
    [...stream.fields]
      .filter(([name]) => scope.fields.has(name))
      .map(([name, field]) => [name, withGrantedUnit(field, scope)]),
  );
  return {
    connection: stream.connection,
    name: stream.name,
    description: stream.declaration.description,
    label: stream.declaration.display?.label ?? stream.name,
    detail: stream.declaration.display?.detail ?? stream.declaration.description,
    suggestedColumns: stream.declaration.views?.[0]?.fields ?? [],
    primaryKey: stream.declaration.primary_key,
    fields,
    timeField: stream.timeField === undefined ? undefined : fields.get(stream.timeField.name),
    relations: (stream.declaration.relationships ?? []).filter((relation) =>
      isVisibleRelation(relation, scope, all),
    ),
    titleField: findTitleField(stream, fields),
    proseFields: [...fields.values()].filter((one) => one.kind === 'text').map((one) => one.name),
  };
}

/** Removes the unit of a field if the field that contains the unit is not granted. */
function withGrantedUnit(field: Field, scope: GrantedScope): Field {
  if (field.unit === undefined || scope.fields.has(field.unit)) return field;
  const { unit: _, ...rest } = field;
  return rest;
}

/** A relation is visible only if its foreign key is granted, because following it reveals the key. */
function isVisibleRelation(
  relation: Relationship,
  scope: GrantedScope,
  all: readonly GrantedScope[],
): boolean {
  const target = findTarget(relation, scope.stream, all);
  if (target === undefined) return false;
  const holder = relation.cardinality === 'has_many' ? target : scope;
  const key = holder.stream.fields.get(relation.foreign_key);
  return (
    key !== undefined && holder.fields.has(key.name) && (relation.cardinality === 'has_one' || key.filter)
  );
}

/** Finds the granted target of a relation. Relations stay within a connection. */
export function findTarget(
  relation: Relationship,
  from: CatalogStream,
  all: readonly GrantedScope[],
): GrantedScope | undefined {
  return all.find(
    (other) =>
      other.stream.name === relation.stream &&
      other.stream.connection.connection_id === from.connection.connection_id,
  );
}

function findTitleField(stream: CatalogStream, fields: ReadonlyMap<string, Field>): string | undefined {
  const byName = [...(PEOPLE_STREAM.test(stream.name) ? PERSON_NAMES : []), ...TITLE_NAMES].find(
    (name) => fields.get(name)?.kind === 'string' || fields.get(name)?.kind === 'text',
  );
  if (byName !== undefined) return byName;
  const lexical = stream.declaration.query?.search?.lexical_fields ?? [];
  return lexical.find((name) => fields.get(name)?.kind === 'string');
}

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

/** Returns the sort of each stream. The default is newest first if every time field is granted, otherwise by key. */
export function parseSort(
  sort: string | undefined,
  streams: readonly GrantedStream[],
): Map<GrantedStream, Sort> {
  const isTimed = streams.every((stream) => stream.timeField !== undefined);
  return new Map(
    streams.map((stream) => {
      if (sort === undefined || sort === '')
        return [
          stream,
          { field: isTimed ? stream.timeField : undefined, direction: isTimed ? 'desc' : 'asc' },
        ];
      const isDescending = sort.startsWith('-');
      const name = isDescending ? sort.slice(1) : sort;
      const field = getFieldFor(stream.fields, name, 'sort', 'sort', (one) => one.sort);
      return [stream, { field, direction: isDescending ? 'desc' : 'asc' }];
    }),
  );
}
