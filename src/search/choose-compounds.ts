import { canJoin, findRole, kernelOf, splitWord } from '../words/compounds.ts';
import { matchWord, type Spelling } from '../words/match-terms.ts';
import type { Language } from '../words/stop-words.ts';
import { COMMON, type CountedVariant, findForms } from './find-forms.ts';
import type { SearchSource } from './search-source.ts';

/** What a longer word counts that ends with the word, or has it in its middle. */
const END = 0.5;
const MIDDLE = 0.4;
/** What the end of a word counts where nothing has the whole, and words that begin like it. */
const PART = 0.5;
const BEGINNING = 0.35;
/** An end of so many letters tells enough by itself; of fewer, words with the same beginning must be there too. */
const TELLING = 7;
const MAX_FORMS = 4;

type Source = Pick<SearchSource<never>, 'countMatching' | 'findForms' | 'findCompounds'>;

/** What a written word counts for a term that it is a compound or a part of. A function of the two, so that pages agree. */
export function worthOfPart(term: string, { word, isBeginning }: Spelling): number {
  if (isBeginning) return BEGINNING;
  const role = findRole(term, word);
  return role === undefined ? PART : role === 'end' ? END : MIDDLE;
}

/** Longer words that a term is a part of, out of those in visible records: the end before the middle, the shorter before the longer. */
export async function findCompounds(
  term: string,
  languages: readonly Language[],
  source: Source,
): Promise<CountedVariant[]> {
  if (!canJoin(term, languages)) return [];
  const found = await source.findCompounds(kernelOf(term), (word) => findRole(term, word), COMMON + 1);
  return found
    .filter(({ count }) => count <= COMMON)
    .map(({ word, count }) => toVariant(term, { word, isBeginning: false }, count));
}

/** The parts of a term that nothing visible has as a whole: its end with its forms, and words that begin like it. */
export async function findParts(
  term: string,
  languages: readonly Language[],
  source: Source,
): Promise<CountedVariant[]> {
  if (!canJoin(term, languages)) return [];
  const count = (one: Spelling) => source.countMatching([[one]], COMMON + 1);
  let telling: CountedVariant[] = [];
  for (const { end, beginnings } of splitWord(term)) {
    const ends = await findEnds(end, languages, source);
    if (ends.length === 0) continue;
    const parts = ends.map((one) => toVariant(term, { word: one.word, isBeginning: false }, one.count));
    for (const word of beginnings) {
      const beginning = { word, isBeginning: true };
      const begun = await count(beginning);
      if (begun > 0 && begun <= COMMON) return [...parts, toVariant(term, beginning, begun)];
    }
    if (telling.length === 0 && end.length >= TELLING) telling = parts;
  }
  return telling;
}

async function findEnds(end: string, languages: readonly Language[], source: Source) {
  const own = await source.countMatching(matchWord(end), COMMON + 1);
  const forms = await findForms(end, languages, source);
  const all = own > 0 ? [{ word: end, count: own }, ...forms] : forms;
  return all.filter(({ count }) => count <= COMMON).slice(0, MAX_FORMS);
}

function toVariant(term: string, written: Spelling, count: number): CountedVariant {
  return { ...written, count, quality: worthOfPart(term, written) };
}
