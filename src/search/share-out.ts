/** A granted text of a record that matched. */
export interface CandidateText {
  readonly text: string;
  readonly isTitle: boolean;
}

/**
 * The beginnings of a record's texts that together make up so many characters: short texts whole, and the
 * long ones share what is left evenly.
 */
export function shareOut(texts: readonly CandidateText[], characters: number): CandidateText[] {
  let left = characters;
  const lengths = new Map<CandidateText, number>();
  for (const [index, one] of texts.toSorted((a, b) => a.text.length - b.text.length).entries()) {
    const length = Math.min(one.text.length, Math.floor(left / (texts.length - index)));
    lengths.set(one, length);
    left -= length;
  }
  return texts.map((one) => ({ ...one, text: one.text.slice(0, lengths.get(one)) }));
}
