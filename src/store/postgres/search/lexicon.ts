import { isSpellable } from '../../../words/spellings.ts';
import type { WriteDatabase } from '../database.ts';
import { sql } from '../sql.ts';

/** Words that need not be looked up in the table again. A million ordinary records share about a third of this. */
const MAX_KNOWN_WORDS = 300_000;
/** Counts how often words were erased. After that, every process forgets which words are stored. */
export const ERASURES = 'lexicon';

/** Adds words to the table that typing errors are compared with. */
export class Lexicon {
  readonly #database: WriteDatabase;
  /** Words that are surely stored. */
  #known = new Set<string>();
  #erasures = 0;

  constructor(database: WriteDatabase) {
    this.#database = database;
  }

  /** Adds words as part of the current transaction. `erasures` is the value of the counter in it. */
  async add(words: readonly string[], erasures: number): Promise<void> {
    if (erasures !== this.#erasures) this.#known.clear();
    this.#erasures = erasures;
    const fresh = words.filter((word) => !this.#known.has(word) && isSpellable(word));
    if (fresh.length === 0) return;
    const owner = this.#database.ownerId;
    await this.#database.run(sql`insert into lexicon (owner_id, word)
      select ${owner}::int4, word from unnest(${fresh}::text[]) word
      where not exists (select 1 from lexicon l where l.owner_id = ${owner} and l.word = word.word)
      on conflict do nothing`);
    // Only committed words are known.
    await this.#database.afterCommit(async () => {
      if (erasures !== this.#erasures) return;
      if (this.#known.size + fresh.length > MAX_KNOWN_WORDS) this.#known.clear();
      for (const word of fresh) this.#known.add(word);
    });
  }
}
