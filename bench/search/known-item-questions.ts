import { isUnspaced, readTokens } from '../../src/words/tokens.ts';
import { createRandom, type Random } from '../generator/random.ts';
import type { JudgedDocument } from './collection.ts';
import { misspellWord } from './misspell.ts';

/** Kinds of queries for a known record, and the required share of successes. */
export const KNOWN_ITEM_WAYS = {
  'three rare words': 0.98,
  'one rare word, two common ones': 0.95,
  'three rare words, one misspelt': 0.93,
} as const;

export type KnownItemWay = keyof typeof KNOWN_ITEM_WAYS;

export interface KnownItem {
  readonly id: string;
  readonly questions: Readonly<Record<KnownItemWay, string>>;
}

/** If more records contain all words, no ranking of them is the right one. */
const MAX_ALIKE = 3;
/** Records that hold a rare word: one of a thousand at most, or five; and a common one: one of a hundred at least. */
const RARE = { share: 0.001, least: 5 };
const COMMON = { share: 0.01, least: 10 };
const LONGEST = 40;
const MISSPELLABLE = /^\p{L}{4,}$/u;

/** Draws records that three rare words, and one rare and two common words, identify. */
export function drawKnownItems(
  documents: readonly JudgedDocument[],
  count: number,
  seed: number,
): KnownItem[] {
  const random = createRandom(seed, 'known items');
  const holders = countHolders(documents);
  const left = documents.map((_, index) => index);
  const items: KnownItem[] = [];
  while (items.length < count) {
    if (left.length === 0) throw new Error(`only ${items.length} records can be told by their words`);
    const [index] = left.splice(random.int(0, left.length - 1), 1) as [number];
    const document = documents[index] as JudgedDocument;
    const item = askFor(document, holders, documents.length, random);
    if (item !== undefined) items.push(item);
  }
  return items;
}

function askFor(
  document: JudgedDocument,
  holders: ReadonlyMap<string, ReadonlySet<string>>,
  records: number,
  random: Random,
): KnownItem | undefined {
  const words = wordsOf(document);
  const countOf = (word: string) => holders.get(word)?.size ?? 0;
  const rare = words.filter((word) => countOf(word) <= Math.max(RARE.least, records * RARE.share));
  const common = words.filter((word) => countOf(word) >= Math.max(COMMON.least, records * COMMON.share));
  const three = draw(rare, 3, random);
  const mixed = [...draw(rare, 1, random), ...draw(common, 2, random)];
  const place = three.findIndex((word) => MISSPELLABLE.test(word));
  const isTold = (some: readonly string[]) => some.length === 3 && countTogether(some, holders) <= MAX_ALIKE;
  if (place < 0 || !isTold(three) || !isTold(mixed)) return undefined;
  const misspelt = three.with(place, misspellWord(three[place] as string, random));
  return {
    id: document.id,
    questions: {
      'three rare words': three.join(' '),
      'one rare word, two common ones': mixed.join(' '),
      'three rare words, one misspelt': misspelt.join(' '),
    },
  };
}

/** Returns the records that contain each word. */
function countHolders(documents: readonly JudgedDocument[]): Map<string, Set<string>> {
  const holders = new Map<string, Set<string>>();
  for (const document of documents) {
    for (const word of wordsOf(document)) {
      const known = holders.get(word);
      if (known === undefined) holders.set(word, new Set([document.id]));
      else known.add(document.id);
    }
  }
  return holders;
}

function countTogether(words: readonly string[], holders: ReadonlyMap<string, ReadonlySet<string>>): number {
  const sets = words.map((word) => holders.get(word) ?? new Set<string>());
  const [first, ...rest] = sets.sort((a, b) => a.size - b.size);
  return [...(first ?? [])].filter((id) => rest.every((set) => set.has(id))).length;
}

/** Returns the distinct words of scripts with spaces. */
function wordsOf({ title, text }: JudgedDocument): string[] {
  const words = [...readTokens(`${title}\n${text}`)].map(({ word }) => word);
  return [...new Set(words)].filter((word) => word.length <= LONGEST && !isUnspaced(word));
}

function draw(words: readonly string[], count: number, random: Random): string[] {
  const left = [...words];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [word] = left.splice(random.int(0, left.length - 1), 1);
    return word as string;
  });
}
