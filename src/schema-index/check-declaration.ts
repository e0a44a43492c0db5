import { AppError } from '../errors.ts';
import { TEXT_COLUMNS } from '../store/scope.ts';
import { compileSchema } from './compile-schema.ts';
import { type SourceDeclaration, type StreamDeclaration, sourceDeclarationShape } from './declaration.ts';
import { describeFields, isTime } from './field.ts';

/** A consistent declaration. */
export type CheckedDeclaration = SourceDeclaration & { connector_key: string };

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const MAX_PROBLEMS = 20;

/** Returns the declaration, or throws one error that lists every problem with its path. */
export function checkDeclaration(input: unknown): CheckedDeclaration {
  const parsed = sourceDeclarationShape.safeParse(input);
  if (!parsed.success) {
    throw invalid(parsed.error.issues.map((issue) => `${formatPath(issue.path)}: ${issue.message}`));
  }
  const declaration = parsed.data;
  const key =
    declaration.connector_key ?? new URL(declaration.source.id).pathname.split('/').filter(Boolean).at(-1);
  const problems = [
    ...(/^[a-z][a-z0-9_-]{0,63}$/.test(key ?? '')
      ? []
      : ['connector_key: is missing and source.id does not end in one']),
    ...findDuplicates(declaration.streams.map((stream) => stream.name)).map(
      (name) => `streams: ${name} is declared twice`,
    ),
    ...declaration.streams.flatMap((stream) => findStreamProblems(stream, declaration)),
    ...findPresetProblems(declaration),
  ];
  if (problems.length > 0) throw invalid(problems);
  return { ...declaration, connector_key: key as string };
}

function findStreamProblems(stream: StreamDeclaration, declaration: SourceDeclaration): string[] {
  const at = `streams.${stream.name}`;
  const schemaProblem = findSchemaProblem(stream);
  if (schemaProblem !== undefined) return [`${at}.schema: ${schemaProblem}`];
  const fields = new Map(describeFields(stream).map((field) => [field.name, field]));
  const problems: string[] = [];
  const must = (fine: boolean, path: string, message: string) => {
    if (!fine) problems.push(`${at}.${path}: ${message}`);
  };
  const mustExist = (names: readonly string[], path: string) => {
    for (const name of names) must(fields.has(name), path, `${name} is not a property of the schema`);
  };

  mustExist(stream.primary_key, 'primary_key');
  must(findDuplicates(stream.primary_key).length === 0, 'primary_key', 'names a field twice');
  for (const name of stream.primary_key) {
    const kind = fields.get(name)?.kind;
    must(kind !== 'json' && kind !== 'list', 'primary_key', `${name} must be a string, a number or a time`);
  }
  for (const part of ['cursor_field', 'consent_time_field'] as const) {
    const name = stream[part];
    if (name !== undefined) mustExist([name], part);
  }
  const time = stream.consent_time_field === undefined ? undefined : fields.get(stream.consent_time_field);
  must(
    time === undefined || isTime(time.kind),
    'consent_time_field',
    'must be a string of format date-time or date',
  );

  for (const view of stream.views ?? []) mustExist(view.fields, `views.${view.id}`);
  mustExist(Object.keys(stream.query?.range_filters ?? {}), 'query.range_filters');
  for (const [metric, names] of Object.entries(stream.query?.aggregations ?? {})) {
    if (Array.isArray(names)) mustExist(names, `query.aggregations.${metric}`);
  }
  const lexical = stream.query?.search?.lexical_fields ?? [];
  mustExist(lexical, 'query.search.lexical_fields');
  must(lexical.length <= TEXT_COLUMNS, 'query.search.lexical_fields', `at most ${TEXT_COLUMNS} fields`);
  for (const { name } of stream.query?.expand ?? []) {
    const known = (stream.relationships ?? []).some((relation) => relation.name === name);
    must(known, 'query.expand', `there is no relationship ${name}`);
  }
  for (const relation of stream.relationships ?? []) {
    const target = declaration.streams.find((other) => other.name === relation.stream);
    must(target !== undefined, `relationships.${relation.name}`, `there is no stream ${relation.stream}`);
    const holder = relation.cardinality === 'has_many' ? target : stream;
    const known =
      holder === undefined || Object.hasOwn((holder.schema.properties ?? {}) as object, relation.foreign_key);
    must(
      known,
      `relationships.${relation.name}`,
      `${relation.foreign_key} is not a property of ${holder?.name}`,
    );
  }
  return problems;
}

function findSchemaProblem(stream: StreamDeclaration): string | undefined {
  const { schema } = stream;
  if (schema.$schema !== undefined && schema.$schema !== DIALECT) return 'must be JSON Schema 2020-12';
  if (schema.type !== 'object') return 'must have type object';
  const properties = schema.properties;
  if (typeof properties !== 'object' || properties === null) return 'must have properties';
  const names = Object.keys(properties);
  if (names.length === 0 || names.length > 200) return 'must have 1 to 200 properties';
  const odd = names.find(
    (name) => name in Object.prototype || !/^[\p{L}_][\p{L}\p{N}_.@ -]{0,63}$/u.test(name),
  );
  if (odd !== undefined) return 'has a property whose name is reserved or not plain';
  if (hasRemoteReference(schema)) return 'may only use local references';
  try {
    compileSchema(stream);
    return undefined;
  } catch {
    return 'is not a valid JSON Schema';
  }
}

function hasRemoteReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) =>
    (key === '$ref' || key === '$dynamicRef') && typeof inner === 'string'
      ? !inner.startsWith('#')
      : hasRemoteReference(inner),
  );
}

function findPresetProblems(declaration: SourceDeclaration): string[] {
  return (declaration.selection_presets ?? []).flatMap((preset) =>
    preset.streams.flatMap((selected) => {
      const at = `selection_presets.${preset.id}`;
      const stream = declaration.streams.find((one) => one.name === selected.name);
      if (stream === undefined) return [`${at}: there is no stream ${selected.name}`];
      const { view, fields = [] } = selected;
      const properties = (stream.schema.properties ?? {}) as object;
      const unknown = fields.filter((name) => !Object.hasOwn(properties, name));
      return [
        ...(view === undefined || stream.views?.some((one) => one.id === view)
          ? []
          : [`${at}: there is no view ${view}`]),
        ...unknown.map((name) => `${at}: ${name} is not a property of ${stream.name}`),
      ];
    }),
  );
}

function findDuplicates(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'declaration' : path.map(String).join('.');
}

function invalid(problems: string[]): AppError {
  return new AppError('invalid_declaration', 'The source declaration is not valid.', {
    problems: problems.slice(0, MAX_PROBLEMS),
    problems_total: problems.length,
  });
}
