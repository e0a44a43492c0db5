const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a question, each once: letters and digits, whatever else stands between them. */
export function distinctWords(question: string): string[] {
  return [...new Set(question.toLowerCase().match(WORD) ?? [])];
}
