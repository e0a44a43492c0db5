import type { SearchReads } from '../../store/search-reads.ts';
import { type CountedWord, matchWord } from '../../words/match-terms.ts';
import type { Dictionary } from '../../words/spellings.ts';
import type { MatchScope, SearchCache } from './search-cache.ts';

const MAX_SIMILAR = 8;
const MAX_FORMS = 12;
const MAX_COMPOUNDS = 8;
/** Sorts words that contain the letters in the middle after those that end with them. No dictionary word is longer. */
const MIDDLE_PENALTY = 100;
const MAX_BATCH_WORDS = 256;

/** Finds variants of query words in the dictionary and the index, limited to words of visible records. */
export class GrantedWords {
  readonly #search: SearchReads;
  readonly #cache: SearchCache;
  readonly #dictionary: Dictionary;

  constructor(search: SearchReads, cache: SearchCache, dictionary: Dictionary) {
    this.#search = search;
    this.#cache = cache;
    this.#dictionary = dictionary;
  }

  /** Returns visible words similar to a misspelled one, nearest first. */
  async similar(where: MatchScope, word: string, countTo: number): Promise<CountedWord[]> {
    return this.#filterVisible(where, await this.#dictionary.findSimilar(word), MAX_SIMILAR, countTo);
  }

  /** Returns visible compounds that contain these letters: at the end first, then in the middle, by length and alphabet. */
  async compounds(
    where: MatchScope,
    letters: string,
    roleOf: (word: string) => 'end' | 'middle' | undefined,
    countTo: number,
  ): Promise<CountedWord[]> {
    const found = (await this.#dictionary.findContaining(letters)).flatMap((word) => {
      const role = roleOf(word);
      return role === undefined ? [] : [{ word, rank: (role === 'end' ? 0 : MIDDLE_PENALTY) + word.length }];
    });
    found.sort((a, b) => a.rank - b.rank || (a.word < b.word ? -1 : 1));
    return this.#filterVisible(
      where,
      found.map(({ word }) => word),
      MAX_COMPOUNDS,
      countTo,
    );
  }

  /** Returns visible words with a prefix that pass the test. */
  async forms(
    where: MatchScope,
    prefix: string,
    isForm: (word: string) => boolean,
    countTo: number,
  ): Promise<CountedWord[]> {
    const forms = (await this.#search.wordsWithPrefix(prefix)).filter(isForm);
    return this.#filterVisible(where, forms, MAX_FORMS, countTo);
  }

  /**
   * Returns the first words that occur in visible records. It tries every word until enough are visible, so hidden words
   * cannot displace visible ones. After hidden words it tests larger batches, because thousands may follow.
   */
  async #filterVisible(
    where: MatchScope,
    words: readonly string[],
    limit: number,
    countTo: number,
  ): Promise<CountedWord[]> {
    const visible: CountedWord[] = [];
    for (let from = 0, size = 1; from < words.length && visible.length < limit; ) {
      const batch = words.slice(from, from + size);
      from += size;
      const before = visible.length;
      for (const word of (await this.#mayOccur(where, batch)) ? batch : []) {
        const count = await this.#cache.countMatching(where, matchWord(word), countTo);
        if (count > 0) visible.push({ word, count });
        if (visible.length >= limit) break;
      }
      size = visible.length > before ? 1 : Math.min(MAX_BATCH_WORDS, size * 2);
    }
    return visible;
  }

  /** Whether any of the words may occur in visible records. A single word is not tested, because it is counted next. */
  async #mayOccur(where: MatchScope, words: readonly string[]): Promise<boolean> {
    if (words.length === 1) return true;
    const { parts } = await this.#cache.resolve(where);
    const anyOf = words.map((word) => ({ word, isPrefix: false }));
    return (await this.#search.countMatching(parts, [anyOf], 1)) > 0;
  }
}
