import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/schema-index/compile-schema.ts';
import type { StreamDeclaration } from '../../src/schema-index/declaration.ts';

const declare = (type: string, id?: string) =>
  ({
    schema: { ...(id && { $id: id }), type: 'object', properties: { a: { type } } },
  }) as unknown as StreamDeclaration;

describe('a schema', () => {
  it('is compiled once, however often it is read from the store', () => {
    expect(compileSchema(declare('string'))).toBe(compileSchema(declare('string')));
  });

  it('with another content is compiled separately, even with the same name', () => {
    const [text, number] = [
      declare('string', 'https://example.org/x'),
      declare('number', 'https://example.org/x'),
    ].map(compileSchema);
    expect([text?.({ a: 'b' }), text?.({ a: 1 }), number?.({ a: 'b' }), number?.({ a: 1 })]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
