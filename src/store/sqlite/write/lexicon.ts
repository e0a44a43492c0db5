import type Database from 'better-sqlite3';
import { collectSpellings } from '../../../words/spellings.ts';

/** Limits the cache of stored words. A million ordinary records have about a third of this many words. */
const MAX_KNOWN_WORDS = 300_000;

/**
 * Adds words to the table that misspelt words are compared with. A word whose last record was deleted does no harm,
 * because only words of visible records count.
 */
export class Lexicon {
  readonly #add: Database.Statement;
  /** Words that are known to be stored. */
  #known = new Set<string>();
  readonly #new = new Set<string>();

  constructor(raw: Database.Database) {
    this.#add = raw.prepare('insert or ignore into lexicon (word) values (?)');
  }

  addTexts(texts: readonly string[]): void {
    for (const text of texts) if (text !== '') collectSpellings(text, this.#known, this.#new);
  }

  /** Writes the new words, as part of the caller's transaction. */
  write(): void {
    for (const word of this.#new) this.#add.run(word);
  }

  /** Adds the new words to the cache if they were committed, and forgets them otherwise. */
  afterTransaction(committed: boolean): void {
    if (committed) {
      if (this.#known.size + this.#new.size > MAX_KNOWN_WORDS) this.#known = new Set();
      for (const word of this.#new) this.#known.add(word);
    }
    this.#new.clear();
  }
}
