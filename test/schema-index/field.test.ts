import { describe, expect, it } from 'vitest';
import type { StreamDeclaration } from '../../src/schema-index/declaration.ts';
import { describeFields, type Field } from '../../src/schema-index/field.ts';
import { fullDeclaration } from './full-declaration.ts';

const [mails, files] = fullDeclaration.streams as StreamDeclaration[] as [
  StreamDeclaration,
  StreamDeclaration,
];
const { query: _, ...undeclared } = mails;

/** What a field can do, in few words. */
function summarize(field: Field): string {
  const can = (['filter', 'range', 'sort', 'group', 'search'] as const).filter((use) => field[use]);
  return [field.kind, ...can, ...field.metrics].join(' ');
}
const summary = (stream: StreamDeclaration) =>
  Object.fromEntries(describeFields(stream).map((field) => [field.name, summarize(field)]));

describe('what a field can do', () => {
  it('follows from its schema when nothing is declared', () => {
    expect(summary(undeclared)).toEqual({
      id: 'string filter sort group count_distinct',
      thread_id: 'string filter sort group count_distinct',
      subject: 'string filter sort group search count_distinct',
      body: 'text search',
      folder: 'string filter sort group count_distinct',
      size: 'integer filter range sort group count_distinct sum avg min max',
      spam_score: 'number filter range sort group count_distinct sum avg min max',
      read: 'boolean filter sort group count_distinct',
      sent_at: 'date-time filter range sort group count_distinct min max',
      day: 'date filter range sort group count_distinct min max',
      labels: 'list filter',
      headers: 'json',
    });
  });

  it('is limited to what is declared', () => {
    expect(summary(mails)).toEqual({
      id: 'string filter sort',
      thread_id: 'string filter sort',
      subject: 'string filter sort search',
      body: 'text search',
      folder: 'string filter sort group count_distinct',
      size: 'integer filter range sort sum avg min max',
      spam_score: 'number filter sort',
      read: 'boolean filter sort',
      sent_at: 'date-time filter range sort group min',
      day: 'date filter sort',
      labels: 'list filter',
      headers: 'json',
    });
  });

  it('knows values, requirement and description', () => {
    const fields = new Map(describeFields(mails).map((field) => [field.name, field]));
    expect(fields.get('folder')?.values).toEqual(['inbox', 'sent']);
    expect(fields.get('size')?.description).toBe('Bytes');
    expect([...fields.values()].filter((field) => field.required).map((field) => field.name)).toEqual([
      'id',
      'sent_at',
    ]);
  });

  it('leaves keys and foreign keys out of the search, unless they are declared', () => {
    expect(
      describeFields(undeclared)
        .filter((field) => field.search)
        .map((field) => field.name),
    ).toEqual(['subject', 'body']);
    expect(
      describeFields(files)
        .filter((field) => field.search)
        .map((field) => field.name),
    ).toEqual(['name']);
  });

  it.each([
    [{ type: ['integer', 'null'] }, 'integer'],
    [{ type: ['string', 'integer'] }, 'json'],
    [{ enum: ['a', 'b'] }, 'string'],
    [{ enum: [1, 2] }, 'json'],
    [{}, 'json'],
    [{ type: 'array' }, 'json'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{ type: 'string', format: 'email' }, 'string'],
    [{ type: 'string', format: 'date' }, 'date'],
  ])('takes %j for %s', (schema, kind) => {
    const stream = {
      ...files,
      schema: { ...files.schema, properties: { id: { type: 'string' }, x: schema } },
    };
    expect(describeFields(stream).find((field) => field.name === 'x')?.kind).toBe(kind);
  });

  it('takes a long text for prose by its name, a short or listed one for a word', () => {
    const kindOf = (schema: object) => {
      const properties = { id: { type: 'string' }, description: schema };
      return describeFields({ ...files, schema: { type: 'object', properties } }).at(-1)?.kind;
    };
    expect(kindOf({ type: 'string' })).toBe('text');
    expect(kindOf({ type: 'string', maxLength: 40 })).toBe('string');
    expect(kindOf({ type: 'string', enum: ['a'] })).toBe('string');
  });

  it('is counted in the unit that is called after it, else in the one that all share', () => {
    const properties = Object.fromEntries(
      ['distance', 'total', 'weight'].map((name) => [name, { type: 'number' }]),
    );
    const units = Object.fromEntries(['distance_unit', 'unit'].map((name) => [name, { type: 'string' }]));
    const fields = describeFields({ ...files, schema: { properties: { ...properties, ...units } } });
    expect(fields.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]]))).toEqual([
      ['distance', 'distance_unit'],
      ['total', 'unit'],
    ]);
  });
});
