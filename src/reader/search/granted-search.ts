import type { RecordReads } from '../../store/record-reads.ts';
import type {
  FieldRole,
  FieldRoles,
  MatchedRow,
  MatchPart,
  MeasuredRow,
  Postings,
  SearchReads,
} from '../../store/search-reads.ts';
import type { ReadStore } from '../../store/store.ts';
import type { MatchTerms, Spelling } from '../../words/match-terms.ts';
import type { Dictionary } from '../../words/spellings.ts';
import { type Found, visibleTime } from '../granted-record.ts';
import type { GrantedScopes } from '../granted-scopes.ts';
import { type GrantedStream, isPeopleField } from '../granted-stream.ts';
import { GrantedWords } from './granted-words.ts';
import { type MatchScope, SearchCache } from './search-cache.ts';

/** Longer names are not cached. */
const MAX_KEY_CHARACTERS = 4_000;

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
  readonly #cache: SearchCache;
  /** Computed once per stream: every spelling of a search needs the roles of all fields. */
  readonly #roles = new Map<GrantedStream, ReadonlyMap<string, FieldRole>>();
  /** A list of parts lives as long as its search. */
  readonly #fieldRoles = new WeakMap<readonly MatchPart[], FieldRoles>();

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
    return this.#cache.list(where, `${spelling.isPrefix ? 'prefix' : 'word'} ${spelling.word}`, (parts) => {
      const roles =
        this.#fieldRoles.get(parts) ??
        new Map(
          where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, this.#rolesOf(stream)]),
        );
      this.#fieldRoles.set(parts, roles);
      return this.#search.postings(parts, roles, spelling);
    });
  }

  /**
   * Returns the result of a whole search, cached until something is stored: callers repeat a search, for its next page and
   * with other limits. Searches with conditions are not cached.
   */
  cached<T extends object>(
    where: MatchScope,
    name: string,
    search: () => Promise<T>,
    bytesOf: (result: T) => number,
  ): Promise<T> {
    return name.length > MAX_KEY_CHARACTERS ? search() : this.#cache.search(where, name, search, bytesOf);
  }

  /** Returns the newest of these records in the order of newestMatching, without records deleted or hidden since. */
  async newest(where: MatchScope, records: readonly number[], limit: number): Promise<MeasuredRecord[]> {
    const byId = new Map(where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, stream]));
    const rows = await this.#search.newest((await this.#cache.resolve(where)).parts, records, limit);
    return rows.map((row) => {
      const found = new FoundRecord(this, byId.get(row.stream_id) as GrantedStream, row);
      return { record: row.rid, found, words: row.words };
    });
  }

  /** Counts the records of all streams together. */
  async countAll(where: MatchScope): Promise<number> {
    return this.#cache.count(where, '', (parts) =>
      this.#records.countTogether(parts.map(({ scope }) => scope)),
    );
  }

  /** Yields hits with the given fields, texts cut to a number of characters. Skips records deleted or hidden since. */
  async *texts(
    found: readonly Found[],
    fields: (stream: GrantedStream) => readonly string[],
    characters: number,
  ): AsyncGenerator<{ found: Found; record: Record<string, unknown> }> {
    const byRow = new Map(found.map((one) => [FoundRecord.rowOf(one, this), one]));
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
}

/** A hit with its stored row, which callers must not see. */
class FoundRecord implements Found {
  readonly stream: GrantedStream;
  readonly key: string;
  readonly t: number | undefined;
  readonly #finder: GrantedSearch;
  readonly #row: MatchedRow;

  constructor(finder: GrantedSearch, stream: GrantedStream, row: MeasuredRow) {
    this.stream = stream;
    this.key = row.key;
    this.t = visibleTime(stream, row.t);
    this.#finder = finder;
    this.#row = row;
  }

  /** Returns the row of a hit. Only hits of the same reader have one, so a caller cannot forge a hit. */
  static rowOf(found: Found, finder: GrantedSearch): MatchedRow {
    if (!(#row in found) || found.#finder !== finder)
      throw new Error('a record that was not found reached the reader');
    return found.#row;
  }
}
