import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cacheJson, writeJson } from '../../src/text/json.ts';

test('equals JSON.stringify, with and without cached rows', () => {
  const row = fc.dictionary(fc.string(), fc.jsonValue());
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constant(undefined),
    fc.array(fc.oneof(row, fc.jsonValue(), fc.constant(undefined))),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), fc.array(fc.boolean()), (body, kept) => {
      const items = Object.values(body).flatMap((one) => (Array.isArray(one) ? one : []));
      for (const [at, item] of items.entries())
        if (kept[at] && typeof item === 'object' && item !== null) cacheJson(item, JSON.stringify(item));
      expect(writeJson(body)).toBe(JSON.stringify(body));
    }),
  );
});

test('uses the JSON of a cached row', () => {
  const row = { id: 'a' };
  cacheJson(row, '{"id":"kept"}');
  expect(writeJson({ data: [row, { id: 'b' }] })).toBe('{"data":[{"id":"kept"},{"id":"b"}]}');
});
