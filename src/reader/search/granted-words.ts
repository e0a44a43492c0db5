import type { SearchReads } from '../../store/search-reads.ts';
import { matchWord } from '../../words/match-terms.ts';
import type { Dictionary } from '../../words/spellings.ts';
import type { MatchScope, SearchCache } from './search-cache.ts';

/** A word that occurs in visible records, and in how many. */
export interface CountedWord {
  readonly word: string;
  readonly count: number;
}

const MAX_SIMILAR = 8;
const MAX_FORMS = 12;
const MAX_COMPOUNDS = 8;
/** Longer than any word of the dictionary. */
const LONGEST = 100;
/** Words that are asked about together, where those before them were all hidden. */
const MAX_BATCH_WORDS = 256;

/** Words beside those of a question, out of what the dictionary and the index know, that occur in visible records. */
export class GrantedWords {
  readonly #search: SearchReads;
  readonly #cache: SearchCache;
  readonly #dictionary: Dictionary;

  constructor(search: SearchReads, cache: SearchCache, dictionary: Dictionary) {
    this.#search = search;
    this.#cache = cache;
    this.#dictionary = dictionary;
  }

  /**
   * Words like a misspelt one that occur in visible records, nearest first. Every word of the index is
   * tried in turn until enough are visible, so that hidden words cannot crowd visible ones out.
   */
  async similar(where: MatchScope, word: string, countTo: number): Promise<CountedWord[]> {
    return this.#keepVisible(where, await this.#dictionary.findSimilar(word), MAX_SIMILAR, countTo);
  }

  /**
   * Words with these letters in them that have a role and occur in visible records: ends first, then by length and
   * alphabet. As with spellings, hidden words are passed over and crowd none out.
   */
  async compounds(
    where: MatchScope,
    letters: string,
    roleOf: (word: string) => 'end' | 'middle' | undefined,
    countTo: number,
  ): Promise<CountedWord[]> {
    const found = (await this.#dictionary.findContaining(letters)).flatMap((word) => {
      const role = roleOf(word);
      return role === undefined ? [] : [{ word, rank: (role === 'end' ? 0 : LONGEST) + word.length }];
    });
    found.sort((a, b) => a.rank - b.rank || (a.word < b.word ? -1 : 1));
    return this.#keepVisible(
      where,
      found.map(({ word }) => word),
      MAX_COMPOUNDS,
      countTo,
    );
  }

  /** Words that begin so, pass the test and occur in visible records. */
  async forms(
    where: MatchScope,
    beginning: string,
    isForm: (word: string) => boolean,
    countTo: number,
  ): Promise<CountedWord[]> {
    const forms = (await this.#search.wordsWithPrefix(beginning)).filter(isForm);
    return this.#keepVisible(where, forms, MAX_FORMS, countTo);
  }

  /**
   * The first so many words that occur in visible records, and in how many, counted up to a number. Thousands of hidden
   * words may come before: the more of them do, the more are asked about at once.
   */
  async #keepVisible(
    where: MatchScope,
    words: readonly string[],
    most: number,
    countTo: number,
  ): Promise<CountedWord[]> {
    const visible: CountedWord[] = [];
    for (let from = 0, together = 1; from < words.length && visible.length < most; ) {
      const some = words.slice(from, from + together);
      from += together;
      const before = visible.length;
      for (const word of (await this.#occurs(where, some)) ? some : []) {
        const count = await this.#cache.countMatching(where, matchWord(word), countTo);
        if (count > 0) visible.push({ word, count });
        if (visible.length >= most) break;
      }
      together = visible.length > before ? 1 : Math.min(MAX_BATCH_WORDS, together * 2);
    }
    return visible;
  }

  /** Whether any of the words may occur in visible records; of one alone its count will tell. */
  async #occurs(where: MatchScope, words: readonly string[]): Promise<boolean> {
    if (words.length === 1) return true;
    const { parts } = await this.#cache.choose(where);
    const anyOf = words.map((word) => ({ word, isPrefix: false }));
    return (await this.#search.countMatching(parts, [anyOf], 1)) > 0;
  }
}
