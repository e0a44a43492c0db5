import type { CatalogStream, Connection } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Field } from '../schema-index/field.ts';
import { PEOPLE_STREAM } from '../schema-index/person-field.ts';
import type { Scope } from '../store/scope.ts';

/** A stream as far as the grant lets it be known. Everything a tool says about a stream comes from here. */
export interface GrantedStream {
  readonly connection: Connection;
  readonly name: string;
  readonly description: string | undefined;
  readonly primaryKey: readonly string[];
  readonly fields: ReadonlyMap<string, Field>;
  /** The field records are ordered by, if it is granted. */
  readonly timeField: Field | undefined;
  readonly relations: readonly Relationship[];
  /** The field whose value names a record, if one is granted and says so by its name or place. */
  readonly titleField: string | undefined;
  /** Searched text, by whose first words a record without a title can be known. */
  readonly proseFields: readonly string[];
}

/** A scope with everything that the catalog knows of its stream. */
export interface GrantedScope extends Scope {
  readonly stream: CatalogStream;
}

/** Names of fields that say who. */
const PEOPLE_FIELD =
  /(^|_)(from|to|cc|sender|recipients?|authors?|attendees?|participants?|organi[sz]er|people|persons?|contacts?|artists?)(_names?)?$/i;

/** Whether a field says who, by its name. */
export function isPeopleField(field: string): boolean {
  return PEOPLE_FIELD.test(field);
}

const TITLE_NAMES = ['title', 'subject', 'name', 'summary', 'headline', 'label', 'track', 'display_name'];
/** Where a stream is of people, their title is a job. */
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

/** In what a field is counted is known only where the field that says so is granted. */
function withGrantedUnit(field: Field, scope: GrantedScope): Field {
  if (field.unit === undefined || scope.fields.has(field.unit)) return field;
  const { unit: _, ...rest } = field;
  return rest;
}

/** Following a relation is a question about its foreign key, so that field must be granted too. */
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

/** Relations stay within a connection: the same source, the same account. */
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
