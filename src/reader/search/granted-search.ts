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

/** A hit with its record number and the number of words in its granted texts. */
export interface MeasuredRecord {
  readonly record: number;
  readonly found: Found;
  readonly words: number;
}

/** Full-text reads of visible records. */
export class GrantedSearch {
  readonly words: GrantedWords;
  readonly #search: SearchReads;
  readonly #records: RecordReads;
  readonly #scopes: GrantedScopes;
  /** The stored row of each hit. Callers must not see it, and it lives as long as the hit. */
  readonly #rows = new WeakMap<Found, MatchedRow>();
  readonly #cache: SearchCache;
  /** Computed once per stream: every spelling of a search needs the roles of all fields. */
  readonly #roles = new Map<GrantedStream, ReadonlyMap<string, FieldRole>>();

  constructor({ records, search }: ReadStore, scopes: GrantedScopes, dictionary: Dictionary) {
    this.#search = search;
    this.#records = records;
    this.#scopes = scopes;
    this.#cache = new SearchCache(records, search, scopes);
    this.words = new GrantedWords(search, this.#cache, dictionary);
  }

  /** Returns the numbers of the newest matching records, those with a visible time first. Numbers are valid in this search only. */
  newestMatching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number[]> {
    return this.#cache.list(where, `newest ${limit} ${JSON.stringify(terms)}`, (parts) =>
      this.#search.newestMatching(parts, terms, limit),
    );
  }

  /** Returns the numbers of up to `limit` matching records. */
  matching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number[]> {
    return this.#cache.list(where, `any ${limit} ${JSON.stringify(terms)}`, (parts) =>
      this.#search.matching(parts, terms, limit),
    );
  }

  /** Counts matching records, up to `limit`. */
  countMatching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number> {
    return this.#cache.countMatching(where, terms, limit);
  }

  /** Returns the postings of a spelling in granted fields. */
  postings(where: MatchScope, spelling: Spelling): Promise<Postings> {
    const roles = new Map(
      where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, this.#rolesOf(stream)]),
    );
    return this.#cache.list(where, `${spelling.isPrefix ? 'prefix' : 'word'} ${spelling.word}`, (parts) =>
      this.#search.postings(parts, roles, spelling),
    );
  }

  /** Returns the newest of these records in the order of newestMatching, without records deleted or hidden since. */
  async newest(where: MatchScope, records: readonly number[], limit: number): Promise<MeasuredRecord[]> {
    const byId = new Map(where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, stream]));
    const rows = await this.#search.newest((await this.#cache.resolve(where)).parts, records, limit);
    return rows.map((row) => {
      const found = this.#toFound(byId.get(row.stream_id) as GrantedStream, row);
      return { record: row.rid, found, words: row.words };
    });
  }

  /** Counts the records of all streams together. */
  async countAll(where: MatchScope): Promise<number> {
    const scopes = where.streams.map((stream) => this.#scopes.of(stream));
    return this.#cache.count(where, '', () => this.#records.countTogether(scopes));
  }

  /** Yields hits with the given fields, texts cut to a number of characters. Skips records deleted or hidden since. */
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
    const cached = this.#roles.get(stream);
    if (cached !== undefined) return cached;
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

  /** Returns the row of a hit. Only hits of this reader have one, so a caller cannot forge a hit. */
  #rowOf(found: Found): MatchedRow {
    const row = this.#rows.get(found);
    if (row === undefined) throw new Error('a record that was not found reached the reader');
    return row;
  }
}
