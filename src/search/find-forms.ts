import type { CountedWord, Spelling } from '../words/match-terms.ts';
import { chooseStemmers, createFormTest, sharedPrefix } from '../words/stem.ts';
import type { Language } from '../words/stop-words.ts';
import type { SearchSource } from './search-source.ts';

/** A word in more visible records than this is common. */
export const MAX_RARE_RECORDS = 3_000;

/** A spelling of a term and its weight: 1 is the word as typed. */
export interface Variant extends Spelling {
  readonly quality: number;
}

export interface CountedVariant extends Variant {
  /** Matching records, counted up to MAX_RARE_RECORDS + 1. */
  readonly count: number;
}

/** Finds visible words with the same stem. */
export async function findForms(
  word: string,
  languages: readonly Language[],
  source: Pick<SearchSource<never>, 'findForms'>,
): Promise<CountedWord[]> {
  const stemmers = chooseStemmers(word, languages);
  const hasStem = createFormTest(word, stemmers);
  const found = new Map<string, CountedWord>();
  for (const prefix of new Set(stemmers.map((stem) => sharedPrefix(word, stem)))) {
    const isForm = (other: string) => other !== word && !found.has(other) && hasStem(other);
    for (const form of await source.findForms(prefix, isForm, MAX_RARE_RECORDS + 1))
      found.set(form.word, form);
  }
  return [...found.values()];
}
