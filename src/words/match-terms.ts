/** A word of the index, or a prefix of words. Several words with spaces between them are a phrase. */
export interface Spelling {
  readonly word: string;
  readonly isPrefix: boolean;
}

/** A record matches if it contains at least one spelling of each list. */
export type MatchTerms = readonly (readonly Spelling[])[];

export function matchWord(word: string): MatchTerms {
  return [[{ word, isPrefix: false }]];
}

/** A word and the number of visible records that contain it. */
export interface CountedWord {
  readonly word: string;
  readonly count: number;
}
