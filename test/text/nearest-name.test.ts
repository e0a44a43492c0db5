import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, findNearest } from '../../src/text/nearest-name.ts';

const names = ['messages', 'members', 'created_at', 'channel_id', 'id', 'author'];

describe('findNearest', () => {
  it.each([
    ['mesages', 'messages'],
    ['message', 'messages'],
    ['emssages', 'messages'],
    ['MESSAGES', 'messages'],
    ['createdat', 'created_at'],
    ['chanel_id', 'channel_id'],
    ['auhtor', 'author'],
    ['di', 'id'],
    ['ids', 'id'],
  ])('takes %s for %s', (sent, known) => {
    expect(findNearest(sent, names)).toBe(known);
  });

  it.each([
    '',
    'zzz',
    'price',
    'x',
    'm',
    '__proto__',
    'constructor',
    `messages${'x'.repeat(10_000)}`,
    '消息',
  ])('takes %s for nothing', (sent) => {
    expect(findNearest(sent, names)).toBeUndefined();
  });

  it('names only what it was given, and the first of equals', () => {
    expect(findNearest('ab', ['ax', 'ay'])).toBe('ax');
    expect(findNearest('messages', [])).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (sent, known) => {
        const nearest = findNearest(sent, known);
        expect(nearest === undefined || known.includes(nearest)).toBe(true);
      }),
    );
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['abcdef', 'zzzzzz', 5],
  ])('between %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance);
  });

  it('is the same both ways, nothing for equals, and never beyond its limit', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 6 }), (a, b, limit) => {
        const distance = editDistance(a, b, limit);
        expect(distance).toBe(editDistance(b, a, limit));
        expect(distance).toBeLessThanOrEqual(limit);
        expect(distance === 0).toBe(a === b);
      }),
    );
  });
});
