/** A word as the index holds it, or every word that begins so. Words one after the other are a phrase. */
export interface Spelling {
  readonly word: string;
  readonly isBeginning: boolean;
}

/** What a record must hold: a spelling of each list. */
export type MatchTerms = readonly (readonly Spelling[])[];

export function matchWord(word: string): MatchTerms {
  return [[{ word, isBeginning: false }]];
}
