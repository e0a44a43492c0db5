const NUL = '\0';
const ONE = '\u0001';
const TWO = '\u0002';
const decodedPairs = new Map([
  [ONE + ONE, NUL],
  [ONE + TWO, ONE],
  [TWO + TWO, TWO],
]);
const HALF_CHARACTER = /[\ud800-\udfff]/gu;
/** No stored text has it, so that a text with half a character matches none. */
const ENCODED_HALF = `${TWO}${ONE}\ufffd`;

/**
 * Returns a text as it is stored. PostgreSQL text cannot hold U+0000, so the first three characters are spelled as pairs,
 * which keep the order of texts and their beginnings. The database encodes and decodes all texts that it sends and receives.
 */
export function encodeText(text: string): string {
  const spelled = hasControls(text)
    ? text
        .replaceAll(TWO, TWO + TWO)
        .replaceAll(ONE, ONE + TWO)
        .replaceAll(NUL, ONE + ONE)
    : text;
  // The driver would send U+FFFD, which other texts contain.
  return spelled.isWellFormed() ? spelled : spelled.replaceAll(HALF_CHARACTER, ENCODED_HALF);
}

/** Returns a stored text as it was. Half a pair at its end, where it was cut, is left out. */
export function decodeText(stored: string): string {
  if (!hasControls(stored)) return stored;
  let text = '';
  for (let at = 0; at < stored.length; at++) {
    const [first, second] = [stored[at] as string, stored[at + 1]];
    if (first !== ONE && first !== TWO) text += first;
    else {
      text += decodedPairs.get(first + (second ?? '')) ?? '';
      at += 1;
    }
  }
  return text;
}

function hasControls(text: string): boolean {
  return text.includes(NUL) || text.includes(ONE) || text.includes(TWO);
}
