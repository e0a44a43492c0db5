/** Words by their length, each with a number that tells which letters it has. */
interface Board {
  readonly words: string[];
  readonly letters: number[];
}

/**
 * Words kept so that those like another one are found without comparing all of them: an error changes the length by one
 * at most, and which letters there are by two.
 */
export class WordShelf {
  readonly #boards: (Board | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(word: string): void {
    const board = this.#boards[word.length] ?? { words: [], letters: [] };
    this.#boards[word.length] = board;
    board.words.push(word);
    board.letters.push(lettersOf(word));
    this.#size += 1;
  }

  /** Visits every word within so many errors of a word, and some others. */
  visitLike(word: string, errors: number, visit: (word: string) => void): void {
    const wanted = lettersOf(word);
    for (let length = word.length - errors; length <= word.length + errors; length++) {
      const board = this.#boards[length];
      if (board === undefined) continue;
      const { words, letters } = board;
      for (let at = 0; at < letters.length; at++)
        if (countBits((letters[at] as number) ^ wanted) <= 2 * errors) visit(words[at] as string);
    }
  }
}

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
