import { createRandom, type Random } from '../generator/random.ts';

const SEED = 1;
/** Changing a letter of a shorter word usually gives another word. */
const SHORTEST = 4;
/** Words of letters in scripts with spaces. */
const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]+/gu;

/** Quoted phrases are not misspelled. */
const QUOTED = /"[^"]*"/g;

/** Makes one typing error in a third of the words of a query. Deterministic. */
export function misspellQuestion(question: string): string {
  const random = createRandom(SEED, question);
  const words = [...question.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].length;
  const quoted = [...question.matchAll(QUOTED)].map(
    ({ 0: text, index }) => [index, index + text.length] as const,
  );
  const long = [...question.matchAll(WORD)].filter(
    ({ 0: word, index }) =>
      [...word].length >= SHORTEST && !quoted.some(([start, end]) => start < index && index < end),
  );
  const chosen = new Set(
    pickSome(long, Math.max(1, Math.round(words / 3)), random).map(({ index }) => index),
  );
  return question.replace(WORD, (word, index: number) =>
    chosen.has(index) ? misspellWord(word, random) : word,
  );
}

/** Drops, doubles, swaps or replaces one letter. Never returns the word itself. */
export function misspellWord(word: string, random: Random): string {
  const letters = [...word];
  for (;;) {
    const at = random.int(0, letters.length - 1);
    const spelt = strike(letters, at, random).join('');
    if (spelt !== word) return spelt;
  }
}

function strike(letters: readonly string[], at: number, random: Random): string[] {
  const letter = letters[at] as string;
  switch (random.int(0, 3)) {
    case 0:
      return letters.toSpliced(at, 1);
    case 1:
      return letters.toSpliced(at, 0, letter);
    case 2:
      return letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse());
    default:
      return letters.toSpliced(at, 1, random.pick(letters));
  }
}

function pickSome<T>(items: readonly T[], count: number, random: Random): T[] {
  const left = [...items];
  const picked: T[] = [];
  while (picked.length < count && left.length > 0)
    picked.push(...left.splice(random.int(0, left.length - 1), 1));
  return picked;
}
