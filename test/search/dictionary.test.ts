import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDictionary } from '../../src/search/dictionary.ts';

function readFrom(words: readonly string[]) {
  const read: number[] = [];
  return {
    read,
    readWords: async (after: number, limit: number) => {
      const piece = words.slice(after, after + limit);
      if (piece.length > 0) read.push(piece.length);
      return { words: piece, last: after + piece.length };
    },
  };
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 3, maxLength: 10 });

describe('the dictionary', () => {
  it('finds the same similar words whether all words, some or none are in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { maxLength: 60 }), word, async (words, typed) => {
        const [all, some, none] = await Promise.all(
          [1_000, 7, 0].map((held) => createDictionary(readFrom(words).readWords, held).findSimilar(typed)),
        );
        expect(some).toEqual(all);
        expect(none).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  it('finds every word that contains some letters, whether all words, some or none are in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(word, { maxLength: 60 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 1, maxLength: 4 }),
        async (words, letters) => {
          const expected = words.filter((one) => one.includes(letters) && one !== letters).toSorted();
          for (const held of [1_000, 7, 0]) {
            const found = await createDictionary(readFrom(words).readWords, held).findContaining(letters);
            expect(found.toSorted()).toEqual(expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds the same words whether they were present at the start or added one by one', async () => {
    const words: string[] = [];
    const growing = createDictionary(readFrom(words).readWords).findSimilar;
    for (const added of ['harbour', 'harbours', 'arbour', 'barbour', 'velvet']) {
      words.push(added);
      expect(await growing('harbuor')).toEqual(
        await createDictionary(readFrom([...words]).readWords).findSimilar('harbuor'),
      );
    }
    expect(await growing('harbuor')).toEqual(['harbour']);
  });

  it('reads only new words, in batches, once for concurrent lookups', async () => {
    const words = Array.from({ length: 25_000 }, (_, at) => `word${at.toString(36)}x`);
    const { read, readWords } = readFrom(words);
    const { findSimilar: find } = createDictionary(readWords);
    await Promise.all(['wordx', 'wordy', 'wordz'].map(find));
    expect(read).toEqual([10_000, 10_000, 5_000]);
    words.push('harbour');
    expect(await find('harbuor')).toEqual(['harbour']);
    expect(read).toEqual([10_000, 10_000, 5_000, 1]);
  });

  it('reports a read error to the lookup and nowhere else', async () => {
    const { findSimilar: find } = createDictionary(async () => {
      throw new Error('the store is closed');
    });
    // An unhandled rejection would end the test process.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(find('harbuor')).rejects.toThrow('the store is closed');
  });

  it('gives a lookup during loading the same answer as a later one', async () => {
    const words = Array.from({ length: 200_000 }, (_, at) => `word${at.toString(36)}x`);
    const { read, readWords } = readFrom([...words, 'harbour']);
    const { findSimilar: find } = createDictionary(readWords);
    const meanwhile = find('harbuor');
    expect(read.length).toBeLessThan(2);
    expect(await meanwhile).toEqual(['harbour']);
    expect(await find('harbuor')).toEqual(['harbour']);
    expect(read.length).toBe(21);
  });

  it('does not correct numbers, codes and short words', async () => {
    const { findSimilar: find } = createDictionary(readFrom(['12345', 'abc', 'a1234', 'abcd1']).readWords);
    expect(await find('12346')).toEqual([]);
    expect(await find('abd')).toEqual([]);
    expect(await find('a1235')).toEqual([]);
    expect(await find('abcd2')).toEqual(['abcd1']);
  });
});
