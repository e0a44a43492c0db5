import type Database from 'better-sqlite3';
import { collectSpellings } from '../../../words/spellings.ts';

/** Words that need not be looked up in the table again. A million ordinary records share about a third of this. */
const MAX_KNOWN = 300_000;

/**
 * Keeps the table of words that typing errors are compared with. Words are only ever added: one whose last
 * record is gone does no harm, because a spelling counts only where a visible record has it.
 */
export class Lexicon {
  readonly #add: Database.Statement;
  /** Words that are surely stored. */
  #known = new Set<string>();
  readonly #fresh = new Set<string>();

  constructor(raw: Database.Database) {
    this.#add = raw.prepare('insert or ignore into lexicon (word) values (?)');
  }

  learn(texts: readonly string[]): void {
    for (const text of texts) if (text !== '') collectSpellings(text, this.#known, this.#fresh);
  }

  /** Writes what was learned, as part of the caller's transaction. */
  write(): void {
    for (const word of this.#fresh) this.#add.run(word);
  }

  /** Only what was committed may be remembered as stored. */
  settle(committed: boolean): void {
    if (committed) {
      if (this.#known.size + this.#fresh.size > MAX_KNOWN) this.#known = new Set();
      for (const word of this.#fresh) this.#known.add(word);
    }
    this.#fresh.clear();
  }
}
