import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../src/ingest/parse-line.ts';

const numbers = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(2 ** 53, -(2 ** 53), 2 ** 60, 1e21, 123456789012345680000, -0),
);
const data = fc.dictionary(
  fc.string({ unit: 'binary' }),
  fc.oneof(fc.string({ unit: 'binary' }), numbers, fc.array(numbers, { maxLength: 3 }), fc.boolean()),
  { maxKeys: 4 },
);

describe('a line', () => {
  it('is parsed the same in canonical and in any other spelling', () => {
    fc.assert(
      fc.property(data, (fields) => {
        const line = { key: 'a', emitted_at: '2026-11-01', data: fields };
        expect(parseLine(JSON.stringify(line))).toEqual(parseLine(JSON.stringify(line, null, 1)));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['"a"', '[]', 'null', '7'])('whose data is %s is refused', (sent) => {
    expect(parseLine(`{"key":"a","emitted_at":"2026-11-01","data":${sent}}`)).toEqual({
      kind: 'refused',
      reason: 'has no valid data',
    });
  });
});
