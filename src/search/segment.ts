/**
 * Scripts written without spaces. The full-text index splits at spaces only, so every character of these
 * is indexed as a word of its own, and a run of them is searched as a phrase.
 */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]|[\u{20000}-\u{323af}]/u;
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu');

export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** The text as the index is to see it: spaces around each character of an unspaced script. */
export function segment(text: string): string {
  return UNSPACED.test(text) ? text.replace(EACH_UNSPACED, ' $& ') : text;
}
