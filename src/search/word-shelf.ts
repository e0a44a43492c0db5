/** Words of one length, one after the other in a single text, each with a number that tells which letters it has. */
interface Board {
  readonly text: string;
  readonly letters: Int32Array;
}

/**
 * Words kept so that those like another one are found without comparing all of them: an error changes the length by one
 * at most, and which letters there are by two. As texts and not as single words, because a million of those would take
 * a hundred megabytes and these take fifteen.
 */
export class WordShelf {
  readonly #boards: Board[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(words: readonly string[]): void {
    const byLength = new Map<number, string[]>();
    for (const word of words) {
      const same = byLength.get(word.length);
      if (same === undefined) byLength.set(word.length, [word]);
      else same.push(word);
    }
    for (const [length, same] of byLength) {
      const boards = this.#boards[length] ?? [];
      this.#boards[length] = boards;
      // Small additions are put together, or a store that grows word by word would have as many boards.
      const last = (boards.at(-1)?.letters.length ?? SMALL) < SMALL ? boards.pop() : undefined;
      boards.push({
        text: (last?.text ?? '') + same.join(''),
        letters: Int32Array.from([...(last?.letters ?? []), ...same.map(lettersOf)]),
      });
    }
    this.#size += words.length;
  }

  /** Visits every word within so many errors of a word, and some others. */
  visitLike(word: string, errors: number, visit: (word: string) => void): void {
    const wanted = lettersOf(word);
    for (let length = word.length - errors; length <= word.length + errors; length++) {
      for (const { text, letters } of this.#boards[length] ?? [])
        for (let at = 0; at < letters.length; at++)
          if (countBits((letters[at] as number) ^ wanted) <= 2 * errors)
            visit(text.slice(at * length, (at + 1) * length));
    }
  }

  /** Visits every word that has these letters in it, and more. */
  visitHolding(letters: string, visit: (word: string) => void): void {
    for (let length = letters.length + 1; length < this.#boards.length; length++)
      for (const { text } of this.#boards[length] ?? []) {
        let at = text.indexOf(letters);
        while (at !== -1) {
          const start = at - (at % length);
          const isWithin = at + letters.length <= start + length;
          if (isWithin) visit(text.slice(start, start + length));
          at = text.indexOf(letters, isWithin ? start + length : at + 1);
        }
      }
  }
}

const SMALL = 500;

/** One bit for each letter that occurs; several letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function countBits(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
