import type { Kysely } from 'kysely';
import type { Condition } from '../../schema-index/filter.ts';
import { streamOf } from '../../store/rid.ts';
import type { Tables } from '../../store/tables.ts';
import { anyWordOf, quoteWord } from '../../words/match-expression.ts';
import type { Dictionary } from '../../words/spellings.ts';
import { type Found, visibleTime } from '../granted-record.ts';
import type { GrantedScopes } from '../granted-scopes.ts';
import { type GrantedStream, namesPeople } from '../granted-stream.ts';
import { type Counts, KeptLooks, keepCount } from '../kept-looks.ts';
import { countPlain } from '../read-counts.ts';
import { readHorizon } from '../read-horizon.ts';
import { KeptPlaces } from './kept-places.ts';
import { type MatchedRow, type MatchPart, type MatchRequest, readMatches } from './read-matches.ts';
import { countMatching, readMatching } from './read-matching.ts';
import { type MeasuredRow, readNewestMatched } from './read-newest-matched.ts';
import { type Places, readPlaces, type Spelling } from './read-places.ts';
import { readTexts } from './read-texts.ts';
import { readBeginning } from './read-words.ts';

/** Which records words are looked for in. */
export interface MatchScope {
  readonly streams: readonly GrantedStream[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
}

/** What a searched field is for a record. */
export type FieldRole = 'title' | 'people' | 'body';

/** Where a word stands, in three lists side by side: a record's number, the role of the field, the place in its text. */
export interface GrantedPlaces<T> {
  readonly records: readonly number[];
  readonly parts: readonly T[];
  readonly places: readonly number[];
}

/** A record that words were found in, under its number, and how many words its granted texts have. */
export interface MeasuredFound {
  readonly record: number;
  readonly found: Found;
  readonly words: number;
}

/** A word that occurs in visible records, and in how many. */
export interface CountedWord {
  readonly word: string;
  readonly count: number;
}

/** No text has so many words. */
const COLUMN = 2 ** 32;

const MOST_SIMILAR = 8;
const MOST_FORMS = 12;
const MOST_COMPOUNDS = 8;
/** Longer than any word of the dictionary. */
const LONGEST = 100;
/** Words that are asked about together, where those before them were all hidden. */
const MOST_TOGETHER = 256;

/** What a search is about to look in. */
interface Look {
  /** The change that it began after. */
  readonly horizon: number;
  /** The streams, where they are looked in whole, so that what is found may be kept. */
  readonly streams: string | undefined;
  readonly counts: Counts;
  /** The same ones as long as nothing changes, so that what was made and read for them is at hand. */
  readonly parts: readonly MatchPart[];
}

/** Words and where they stand, in visible records. */
export class GrantedSearch {
  readonly #db: Kysely<Tables>;
  readonly #scopes: GrantedScopes;
  readonly #dictionary: Dictionary;
  /** Where the records lie that were handed out as found. */
  readonly #rows = new WeakMap<Found, MatchedRow>();
  /** A search asks about the same records again and again. */
  readonly #looks = new WeakMap<MatchScope, Look>();
  readonly #keptLooks = new KeptLooks<Look>();
  readonly #keptPlaces = new KeptPlaces();
  readonly #roles = new WeakMap<GrantedStream, readonly FieldRole[]>();

  constructor(db: Kysely<Tables>, scopes: GrantedScopes, dictionary: Dictionary) {
    this.#db = db;
    this.#scopes = scopes;
    this.#dictionary = dictionary;
  }

  /**
   * The numbers of the newest records that match, at most so many, and first those with a visible time. A record's
   * number is good for this reader and this search; it means nothing by itself.
   */
  async newestMatching(where: MatchScope, request: MatchRequest): Promise<number[]> {
    const { expression, limit } = request;
    return this.#keepList(where, `newest ${limit} ${expression}`, async (parts) =>
      (await readMatches(this.#db, parts, request)).map(({ rid }) => rid),
    );
  }

  /** The numbers of records that match, at most so many. */
  async matching(where: MatchScope, expression: string, most: number): Promise<number[]> {
    return this.#keepList(where, `any ${most} ${expression}`, (parts) =>
      readMatching(this.#db, parts, expression, most),
    );
  }

  /** How many records match, counted up to a number. Kept while nothing changes: words are asked for again. */
  async countMatching(where: MatchScope, expression: string, most: number): Promise<number> {
    const { counts, parts } = await this.#lookOf(where);
    return keepCount(counts, `${most} ${expression}`, () => countMatching(this.#db, parts, expression, most));
  }

  /** Every place where a word stands in what is granted; the caller says what it calls the roles of fields. */
  async places<T>(
    where: MatchScope,
    spelling: Spelling,
    names: Readonly<Record<FieldRole, T>>,
  ): Promise<GrantedPlaces<T>> {
    const { rids, columns, offsets } = await this.#keepPlaces(
      where,
      `${spelling.isBeginning ? 'begin' : 'word'} ${spelling.word}`,
      (matchParts) => readPlaces(this.#db, matchParts, spelling),
    );
    const named: T[][] = [];
    for (const stream of where.streams)
      named[this.#scopes.of(stream).stream.streamId] = this.#rolesOf(stream).map((role) => names[role]);
    const records: number[] = [];
    const parts: T[] = [];
    const places: number[] = [];
    for (let at = 0; at < rids.length; at++) {
      const [rid, column] = [rids[at] as number, columns[at] as number];
      records.push(rid);
      parts.push(named[streamOf(rid)]?.[column] ?? names.body);
      places.push(column * COLUMN + (offsets[at] as number));
    }
    return { records, parts, places };
  }

  /** The newest of records, in the order of newestMatching. What is gone or hidden since is left out. */
  async newest(where: MatchScope, records: readonly number[], most: number): Promise<MeasuredFound[]> {
    const byId = new Map(where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, stream]));
    const rows = await readNewestMatched(this.#db, (await this.#lookOf(where)).parts, records, most);
    return rows.map((row) => {
      const found = this.#toFound(byId.get(row.stream_id) as GrantedStream, row);
      return { record: row.rid, found, words: row.words };
    });
  }

  /** How many records the streams have together. */
  async countAll(where: MatchScope): Promise<number> {
    return keepCount((await this.#lookOf(where)).counts, '', async () => {
      let total = 0;
      for (const stream of where.streams) total += await countPlain(this.#db, this.#scopes.of(stream), {});
      return total;
    });
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
    const parts = this.#matchParts({ streams, conditions: new Map() });
    for await (const { row, record } of readTexts(this.#db, parts, [...byRow.keys()], request)) {
      yield { found: byRow.get(row) as Found, record };
    }
  }

  /**
   * Words like a misspelt one that occur in visible records, nearest first. Every word of the index is
   * tried in turn until enough are visible, so that hidden words cannot crowd visible ones out.
   */
  async similarWords(where: MatchScope, word: string, countTo: number): Promise<CountedWord[]> {
    return this.#keepVisible(where, await this.#dictionary.findSimilar(word), MOST_SIMILAR, countTo);
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
    const found = (await this.#dictionary.findHolding(letters)).flatMap((word) => {
      const role = roleOf(word);
      return role === undefined ? [] : [{ word, rank: (role === 'end' ? 0 : LONGEST) + word.length }];
    });
    found.sort((a, b) => a.rank - b.rank || (a.word < b.word ? -1 : 1));
    return this.#keepVisible(
      where,
      found.map(({ word }) => word),
      MOST_COMPOUNDS,
      countTo,
    );
  }

  /** Words that begin so, pass the test and occur in visible records. */
  async wordForms(
    where: MatchScope,
    beginning: string,
    isForm: (word: string) => boolean,
    countTo: number,
  ): Promise<CountedWord[]> {
    const forms = (await readBeginning(this.#db, beginning)).filter(isForm);
    return this.#keepVisible(where, forms, MOST_FORMS, countTo);
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
        const count = await this.countMatching(where, quoteWord(word), countTo);
        if (count > 0) visible.push({ word, count });
        if (visible.length >= most) break;
      }
      together = visible.length > before ? 1 : Math.min(MOST_TOGETHER, together * 2);
    }
    return visible;
  }

  /** Whether any of the words may occur in visible records; of one alone its count will tell. */
  async #occurs(where: MatchScope, words: readonly string[]): Promise<boolean> {
    if (words.length === 1) return true;
    const { parts } = await this.#lookOf(where);
    return (await countMatching(this.#db, parts, anyWordOf(words), 1)) > 0;
  }

  /** What each text column of a stream is for its records. */
  #rolesOf(stream: GrantedStream): readonly FieldRole[] {
    const known = this.#roles.get(stream);
    if (known !== undefined) return known;
    const roles: FieldRole[] = [];
    for (const [name, column] of Object.entries(this.#scopes.of(stream).stream.plan.texts))
      roles[column] = name === stream.titleField ? 'title' : namesPeople(name) ? 'people' : 'body';
    this.#roles.set(stream, roles);
    return roles;
  }

  #toFound(stream: GrantedStream, row: MeasuredRow): Found {
    const found = { stream, key: row.key, t: visibleTime(stream, row.t) };
    this.#rows.set(found, row);
    return found;
  }

  #matchParts(where: MatchScope): readonly MatchPart[] {
    return where.streams.map((stream) => ({
      scope: this.#scopes.of(stream),
      conditions: where.conditions.get(stream) ?? [],
    }));
  }

  /** Numbers of records under a name. */
  async #keepList(
    where: MatchScope,
    name: string,
    read: (parts: readonly MatchPart[]) => Promise<number[]>,
  ): Promise<number[]> {
    const { rids } = await this.#keepPlaces(where, name, async (parts) => ({
      rids: await read(parts),
      columns: [],
      offsets: [],
    }));
    return Array.from(rids);
  }

  /** What is read under a name is kept while nothing changes; with conditions it is not. */
  async #keepPlaces(
    where: MatchScope,
    name: string,
    read: (parts: readonly MatchPart[]) => Promise<Places>,
  ): Promise<Places> {
    const { horizon, streams, parts } = await this.#lookOf(where);
    if (streams === undefined) return read(parts);
    return this.#keptPlaces.read(horizon, `${streams} ${name}`, () => read(parts));
  }

  /** What is known of these streams since the last change; with conditions, for this request alone. */
  async #lookOf(where: MatchScope): Promise<Look> {
    const known = this.#looks.get(where);
    if (known !== undefined) return known;
    const isPlain = where.streams.every((stream) => (where.conditions.get(stream) ?? []).length === 0);
    const streams = where.streams.map((stream) => this.#scopes.of(stream).stream.streamId).join(' ');
    const horizon = await readHorizon(this.#db);
    const make = (kept: string | undefined): Look => ({
      horizon,
      streams: kept,
      counts: new Map(),
      parts: this.#matchParts(where),
    });
    const look = isPlain ? this.#keptLooks.of(horizon, streams, () => make(streams)) : make(undefined);
    this.#looks.set(where, look);
    return look;
  }

  /** Only what this reader has found has a row, so a record cannot be made up. */
  #rowOf(found: Found): MatchedRow {
    const row = this.#rows.get(found);
    if (row === undefined) throw new Error('a record that was not found reached the reader');
    return row;
  }
}
