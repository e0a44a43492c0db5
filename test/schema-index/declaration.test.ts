import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { fullDeclaration } from './full-declaration.ts';

/** The declaration with the values at some dotted paths replaced, or taken away where the value is undefined. */
function broken(changes: Record<string, unknown>): unknown {
  const copy = structuredClone(fullDeclaration);
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() as string;
    // biome-ignore lint/suspicious/noExplicitAny: the changes break the shape on purpose
    const place = names.reduce<any>((inner, name) => inner[name], copy);
    if (value === undefined) delete place[last];
    else place[last] = value;
  }
  return copy;
}

function problemsOf(declaration: unknown): string[] {
  try {
    checkDeclaration(declaration);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid_declaration');
    return error.details.problems as string[];
  }
}

describe('a declaration', () => {
  it('in the shape of PDPP v0.1 is accepted unchanged', () => {
    expect(checkDeclaration(fullDeclaration)).toEqual(fullDeclaration);
  });

  it('without a connector key uses the last part of its source id', () => {
    const { connector_key: _, ...rest } = fullDeclaration;
    expect(checkDeclaration(rest).connector_key).toBe('mailbox');
    expect(problemsOf({ ...rest, source: { kind: 'connector', id: 'https://sources.example/' } })).toEqual([
      expect.stringMatching(/^connector_key: /),
    ]);
  });

  const table: [path: string, change: string, value: unknown][] = [
    ['protocol_version', 'protocol_version', '0.2.0'],
    ['source.kind', 'source.kind', 'magic'],
    ['source.id', 'source.id', 'not a uri'],
    ['publisher.id', 'publisher.id', '/relative'],
    ['display.name', 'display.name', ''],
    ['declaration', 'surprise', 1],
    ['connector_key', 'connector_key', 'No Spaces'],
    ['streams', 'streams', []],
    ['streams.0.name', 'streams.0.name', '__proto__'],
    ['streams.0.name', 'streams.0.name', 'a/b'],
    ['streams.0.semantics', 'streams.0.semantics', 'sometimes'],
    ['streams.0.primary_key', 'streams.0.primary_key', []],
    ['streams.0.selection', 'streams.0.selection', undefined],
    ['streams.0.query.aggregations', 'streams.0.query.aggregations.median', ['size']],
    ['streams.0.query.range_filters.size.0', 'streams.0.query.range_filters.size', ['between']],
    ['streams.0.relationships.0.cardinality', 'streams.0.relationships.0.cardinality', 'many'],
    // From here on the shape is fine, but the parts do not fit together.
    ['streams', 'streams.2', fullDeclaration.streams[1]],
    ['streams.mails.schema', 'streams.0.schema.type', 'array'],
    ['streams.mails.schema', 'streams.0.schema.properties', undefined],
    ['streams.mails.schema', 'streams.0.schema.properties', {}],
    ['streams.mails.schema', 'streams.0.schema.$schema', 'http://json-schema.org/draft-07/schema#'],
    ['streams.mails.schema', 'streams.0.schema.properties.size', { $ref: 'https://elsewhere.example/x' }],
    ['streams.mails.schema', 'streams.0.schema.properties.size', { type: 'whole' }],
    ['streams.mails.schema', 'streams.0.schema.properties.toString', { type: 'string' }],
    ['streams.mails.schema', 'streams.0.schema.properties.a"; drop', { type: 'string' }],
    ['streams.mails.primary_key', 'streams.0.primary_key', ['nope']],
    ['streams.mails.primary_key', 'streams.0.primary_key', ['id', 'id']],
    ['streams.mails.primary_key', 'streams.0.primary_key', ['headers']],
    ['streams.mails.cursor_field', 'streams.0.cursor_field', 'nope'],
    ['streams.mails.consent_time_field', 'streams.0.consent_time_field', 'nope'],
    ['streams.mails.consent_time_field', 'streams.0.consent_time_field', 'subject'],
    ['streams.mails.views.short', 'streams.0.views.0.fields', ['id', 'nope']],
    ['streams.mails.query.range_filters', 'streams.0.query.range_filters.nope', ['gt']],
    ['streams.mails.query.aggregations.sum', 'streams.0.query.aggregations.sum', ['nope']],
    ['streams.mails.query.search.lexical_fields', 'streams.0.query.search.lexical_fields', ['nope']],
    ['streams.mails.query.expand', 'streams.0.query.expand', [{ name: 'nope' }]],
    ['streams.mails.relationships.files', 'streams.0.relationships.0.stream', 'nope'],
    ['streams.mails.relationships.files', 'streams.0.relationships.0.foreign_key', 'nope'],
    ['selection_presets.basics', 'selection_presets.0.streams.0.name', 'nope'],
    ['selection_presets.basics', 'selection_presets.0.streams.0.view', 'nope'],
    ['selection_presets.basics', 'selection_presets.0.streams.0.fields', ['nope']],
  ];
  it.each(table)('is refused at %s when %s is %j', (path, change, value) => {
    const problems = problemsOf(broken({ [change]: value }));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.startsWith(`${path}: `), problems[0]).toBe(true);
  });

  it('with many problems has all of them listed at once', () => {
    const shape = broken({ protocol_version: '9', 'display.name': undefined, 'streams.1.semantics': 'odd' });
    expect(problemsOf(shape).map((problem) => problem.split(': ')[0])).toEqual([
      'protocol_version',
      'display.name',
      'streams.1.semantics',
    ]);
    const meaning = broken({
      'streams.0.cursor_field': 'nope',
      'streams.0.relationships.0.stream': 'gone',
      'streams.1.primary_key': ['what'],
      'selection_presets.0.streams.0.name': 'lost',
    });
    expect(problemsOf(meaning).map((problem) => problem.split(': ')[0])).toEqual([
      'streams.mails.cursor_field',
      'streams.mails.relationships.files',
      'streams.files.primary_key',
      'selection_presets.basics',
    ]);
  });

  it.each([[undefined], [null], [[]], ['{}'], [42]])('that is %j is refused', (value) => {
    expect(problemsOf(value)).toHaveLength(1);
  });
});
