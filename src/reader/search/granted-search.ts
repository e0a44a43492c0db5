import type { RecordReads } from '../../store/record-reads.ts';
import type { FieldRole, MatchedRow, MeasuredRow, Postings, SearchReads } from '../../store/search-reads.ts';
import type { ReadStore } from '../../store/store.ts';
import type { MatchTerms, Spelling } from '../../words/match-terms.ts';
import type { Dictionary } from '../../words/spellings.ts';
import { type Found, visibleTime } from '../granted-record.ts';
import type { GrantedScopes } from '../granted-scopes.ts';
import { type GrantedStream, isPeopleField } from '../granted-stream.ts';
import { GrantedWords } from './granted-words.ts';
import { type MatchScope, SearchCache } from './search-cache.ts';

/** A record that words were found in, under its number, and how many words its granted texts have. */
export interface MeasuredRecord {
  readonly record: number;
  readonly found: Found;
  readonly words: number;
}

/** Words and where they stand, in visible records. */
export class GrantedSearch {
  readonly words: GrantedWords;
  readonly #search: SearchReads;
  readonly #records: RecordReads;
  readonly #scopes: GrantedScopes;
  /** The stored row of each result: a caller must not see it, and it lives as long as the result. */
  readonly #rows = new WeakMap<Found, MatchedRow>();
  readonly #cache: SearchCache;
  /** Found once per stream: every spelling of a search needs the roles of all fields. */
  readonly #roles = new WeakMap<GrantedStream, ReadonlyMap<string, FieldRole>>();

  constructor({ records, search }: ReadStore, scopes: GrantedScopes, dictionary: Dictionary) {
    this.#search = search;
    this.#records = records;
    this.#scopes = scopes;
    this.#cache = new SearchCache(records, search, scopes);
    this.words = new GrantedWords(search, this.#cache, dictionary);
  }

  /**
   * The numbers of the newest records that match, at most so many, and first those with a visible time. A record's
   * number is good for this reader and this search; it means nothing by itself.
   */
  newestMatching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number[]> {
    return this.#cache.list(where, `newest ${limit} ${JSON.stringify(terms)}`, (parts) =>
      this.#search.newestMatching(parts, terms, limit),
    );
  }

  /** The numbers of records that match, at most so many. */
  matching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number[]> {
    return this.#cache.list(where, `any ${limit} ${JSON.stringify(terms)}`, (parts) =>
      this.#search.matching(parts, terms, limit),
    );
  }

  /** How many records match, counted up to a number. */
  countMatching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number> {
    return this.#cache.countMatching(where, terms, limit);
  }

  /** What records have of a spelling in what is granted. */
  postings(where: MatchScope, spelling: Spelling): Promise<Postings> {
    const roles = new Map(
      where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, this.#rolesOf(stream)]),
    );
    return this.#cache.list(where, `${spelling.isPrefix ? 'begin' : 'word'} ${spelling.word}`, (parts) =>
      this.#search.postings(parts, roles, spelling),
    );
  }

  /** The newest of records, in the order of newestMatching. What is gone or hidden since is left out. */
  async newest(where: MatchScope, records: readonly number[], most: number): Promise<MeasuredRecord[]> {
    const byId = new Map(where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, stream]));
    const rows = await this.#search.newest((await this.#cache.choose(where)).parts, records, most);
    return rows.map((row) => {
      const found = this.#toFound(byId.get(row.stream_id) as GrantedStream, row);
      return { record: row.rid, found, words: row.words };
    });
  }

  /** How many records the streams have together. */
  async countAll(where: MatchScope): Promise<number> {
    const scopes = where.streams.map((stream) => this.#scopes.of(stream));
    return this.#cache.count(where, '', () => this.#records.countTogether(scopes));
  }

  /**
   * Records that were found, one after another, with those of their fields that are named, texts cut after so
   * many characters. One that is gone or hidden since is left out.
   */
  async *texts(
    found: readonly Found[],
    fields: (stream: GrantedStream) => readonly string[],
    characters: number,
  ): AsyncGenerator<{ found: Found; record: Record<string, unknown> }> {
    const byRow = new Map(found.map((one) => [this.#rowOf(one), one]));
    const streams = [...new Set(found.map((one) => one.stream))];
    const request = {
      fields: new Map(streams.map((stream) => [this.#scopes.of(stream).stream.streamId, fields(stream)])),
      characters,
    };
    const parts = this.#cache.partsOf({ streams, conditions: new Map() });
    for await (const { row, record } of this.#search.texts(parts, [...byRow.keys()], request)) {
      yield { found: byRow.get(row) as Found, record };
    }
  }

  /** Returns the role of each granted field that is searched. */
  #rolesOf(stream: GrantedStream): ReadonlyMap<string, FieldRole> {
    const known = this.#roles.get(stream);
    if (known !== undefined) return known;
    const scope = this.#scopes.of(stream);
    const roles = new Map<string, FieldRole>();
    for (const name of scope.fieldNames)
      if (scope.stream.fields.get(name)?.search === true)
        roles.set(name, name === stream.titleField ? 'title' : isPeopleField(name) ? 'people' : 'body');
    this.#roles.set(stream, roles);
    return roles;
  }

  #toFound(stream: GrantedStream, row: MeasuredRow): Found {
    const found = { stream, key: row.key, t: visibleTime(stream, row.t) };
    this.#rows.set(found, row);
    return found;
  }

  /** Only what this reader has found has a row, so a record cannot be made up. */
  #rowOf(found: Found): MatchedRow {
    const row = this.#rows.get(found);
    if (row === undefined) throw new Error('a record that was not found reached the reader');
    return row;
  }
}
