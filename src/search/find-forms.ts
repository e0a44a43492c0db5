import type { Spelling } from '../words/match-terms.ts';
import { chooseStemmers, createFormTest, sharedBeginning } from '../words/stem.ts';
import type { Language } from '../words/stop-words.ts';
import type { CountedWord, SearchSource } from './search-source.ts';

/** A word in more visible records than this is simply common. */
export const COMMON = 3_000;

/** A way to write a term that counts, and how much: 1 is the word as it was typed. */
export interface Variant extends Spelling {
  readonly quality: number;
}

export interface CountedVariant extends Variant {
  /** Records that hold it, counted up to COMMON and one more. */
  readonly count: number;
}

/** Words with the same stem. */
export async function findForms(
  word: string,
  languages: readonly Language[],
  source: Pick<SearchSource<never>, 'findForms'>,
): Promise<CountedWord[]> {
  const stemmers = chooseStemmers(word, languages);
  const hasStem = createFormTest(word, stemmers);
  const found = new Map<string, CountedWord>();
  for (const beginning of new Set(stemmers.map((stem) => sharedBeginning(word, stem)))) {
    const isForm = (other: string) => other !== word && !found.has(other) && hasStem(other);
    for (const form of await source.findForms(beginning, isForm, COMMON + 1)) found.set(form.word, form);
  }
  return [...found.values()];
}
