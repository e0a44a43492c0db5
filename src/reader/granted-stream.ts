import type { CatalogStream, Connection } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Field } from '../schema-index/field.ts';
import { PEOPLE_STREAM } from '../schema-index/person-field.ts';
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
