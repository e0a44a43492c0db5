/** A granted text of a record that matched. */
export interface CandidateText {
  readonly text: string;
  readonly isTitle: boolean;
}

/** Characters of text that one search looks at, over all its candidates. */
const SEARCH_CHARACTERS = 6_000_000;
/** And of one record, however few there are. */
const MOST_CHARACTERS = 100_000;

/** How much of each candidate is looked at. A function of how many there are, and they are all visible. */
export function charactersEach(candidates: number): number {
  return Math.min(MOST_CHARACTERS, Math.floor(SEARCH_CHARACTERS / Math.max(1, candidates)));
}

/**
 * The beginnings of a record's texts that together make up so many characters: short texts whole, and the
 * long ones share what is left evenly.
 */
export function shareOut(
  texts: readonly CandidateText[],
  characters: number,
): { shares: CandidateText[]; whole: boolean } {
  let left = characters;
  const lengths = new Map<CandidateText, number>();
  for (const [index, one] of texts.toSorted((a, b) => a.text.length - b.text.length).entries()) {
    const length = Math.min(one.text.length, Math.floor(left / (texts.length - index)));
    lengths.set(one, length);
    left -= length;
  }
  return {
    shares: texts.map((one) => ({ ...one, text: one.text.slice(0, lengths.get(one)) })),
    // A text that is as long as was asked for may have been cut before it came here.
    whole: texts.every(({ text }) => text.length < characters) && left > 0,
  };
}
