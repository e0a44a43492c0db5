/** What the texts of one part of life are made of. */
export interface Topic {
  key: string;
  /** Singular and countable, most used first: they stand after `the`, `this` or `another`. */
  nouns: string[];
  /** Transitive, base form. */
  verbs: string[];
  adjectives: string[];
  /** Title-like templates; see write-text.ts for the slots. */
  subjects: string[];
  sentences: string[];
}

/** Words written as one text. An underscore is a space inside a word. */
export function words(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '));
}
