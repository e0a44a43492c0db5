const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns the distinct words of a query: runs of letters and digits. */
export function distinctWords(question: string): string[] {
  return [...new Set(question.toLowerCase().match(WORD) ?? [])];
}
