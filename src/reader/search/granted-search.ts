import type { Kysely } from 'kysely';
import type { Condition } from '../../schema-index/filter.ts';
import { streamOf } from '../../store/rid.ts';
import type { Tables } from '../../store/tables.ts';
import { anyOf, quoteWord } from '../../words/match-expression.ts';
import type { FindSimilar } from '../../words/spellings.ts';
import { type Found, visibleTime } from '../granted-record.ts';
import type { GrantedScopes } from '../granted-scopes.ts';
import { type GrantedStream, namesPeople } from '../granted-stream.ts';
import { type Counts, KeptCounts, keepCount } from '../kept-counts.ts';
import { countPlain } from '../read-counts.ts';
import { readHorizon } from '../read-horizon.ts';
import { KeptPlaces } from './kept-places.ts';
import { type MatchedRow, type MatchPart, type MatchRequest, readMatches } from './read-matches.ts';
import { countMatching, readMatching } from './read-matching.ts';
import { type MeasuredRow, readNewestMatched } from './read-newest-matched.ts';
import { readPlaces, type Spelling } from './read-places.ts';
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
/** Words that are asked about together, where those before them were all hidden. */
const MOST_TOGETHER = 256;

/** What a search is about to look in. */
interface Look {
  /** The change that it began after. */
  readonly horizon: number;
  /** The streams, where they are looked in whole, so that what is found may be kept. */
  readonly streams: string | undefined;
  readonly counts: Counts;
}

/** Words and where they stand, in visible records. */
export class GrantedSearch {
  readonly #db: Kysely<Tables>;
  readonly #scopes: GrantedScopes;
  readonly #findSimilar: FindSimilar;
  /** Where the records lie that were handed out as found. */
  readonly #rows = new WeakMap<Found, MatchedRow>();
  /** A search asks about the same records again and again. */
  readonly #matchScopes = new WeakMap<MatchScope, readonly MatchPart[]>();
  readonly #looks = new WeakMap<MatchScope, Look>();
  readonly #keptCounts = new KeptCounts();
  readonly #keptPlaces = new KeptPlaces();
  readonly #roles = new WeakMap<GrantedStream, readonly FieldRole[]>();

  constructor(db: Kysely<Tables>, scopes: GrantedScopes, findSimilar: FindSimilar) {
    this.#db = db;
    this.#scopes = scopes;
    this.#findSimilar = findSimilar;
  }

  /**
   * The numbers of the newest records that match, at most so many, and first those with a visible time. A record's
   * number is good for this reader and this search; it means nothing by itself.
   */
  async newestMatching(where: MatchScope, request: MatchRequest): Promise<number[]> {
    return (await readMatches(this.#db, this.#matchParts(where), request)).map(({ rid }) => rid);
  }

  /** The numbers of records that match, at most so many. */
  async matching(where: MatchScope, expression: string, most: number): Promise<number[]> {
    return readMatching(this.#db, this.#matchParts(where), expression, most);
  }

  /** How many records match, counted up to a number. Kept while nothing changes: words are asked for again. */
  async countMatching(where: MatchScope, expression: string, most: number): Promise<number> {
    return keepCount((await this.#lookOf(where)).counts, `${most} ${expression}`, () =>
      countMatching(this.#db, this.#matchParts(where), expression, most),
    );
  }

  /** Every place where a word stands in what is granted; the caller says what it calls the roles of fields. */
  async places<T>(
    where: MatchScope,
    spelling: Spelling,
    names: Readonly<Record<FieldRole, T>>,
  ): Promise<GrantedPlaces<T>> {
    const matchParts = this.#matchParts(where);
    const read = () => readPlaces(this.#db, matchParts, spelling);
    const { horizon, streams } = await this.#lookOf(where);
    const { rids, columns, offsets } =
      streams === undefined
        ? await read()
        : await this.#keptPlaces.read(horizon, `${streams} ${spelling.isBeginning} ${spelling.word}`, read);
    const named: T[][] = [];
    for (const stream of where.streams)
      named[this.#scopes.of(stream).stream.streamId] = this.#rolesOf(stream).map((role) => names[role]);
    const parts = rids.map((rid, at) => named[streamOf(rid)]?.[columns[at] as number] ?? names.body);
    const places = offsets.map((offset, at) => (columns[at] as number) * COLUMN + offset);
    return { records: rids, parts, places };
  }

  /** The newest of records, in the order of newestMatching. What is gone or hidden since is left out. */
  async newest(where: MatchScope, records: readonly number[], most: number): Promise<MeasuredFound[]> {
    const byId = new Map(where.streams.map((stream) => [this.#scopes.of(stream).stream.streamId, stream]));
    const rows = await readNewestMatched(this.#db, this.#matchParts(where), records, most);
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
    return this.#keepVisible(where, await this.#findSimilar(word), MOST_SIMILAR, countTo);
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
    const expression = anyOf(words.map((word) => ({ word, isBeginning: false })));
    return (await countMatching(this.#db, this.#matchParts(where), expression, 1)) > 0;
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
    const known = this.#matchScopes.get(where);
    if (known !== undefined) return known;
    const parts = where.streams.map((stream) => ({
      scope: this.#scopes.of(stream),
      conditions: where.conditions.get(stream) ?? [],
    }));
    this.#matchScopes.set(where, parts);
    return parts;
  }

  /** What is known of these streams since the last change; with conditions, for this request alone. */
  async #lookOf(where: MatchScope): Promise<Look> {
    const known = this.#looks.get(where);
    if (known !== undefined) return known;
    const isPlain = where.streams.every((stream) => (where.conditions.get(stream) ?? []).length === 0);
    const streams = where.streams.map((stream) => this.#scopes.of(stream).stream.streamId).join(' ');
    const horizon = await readHorizon(this.#db);
    const look = isPlain
      ? { horizon, streams, counts: this.#keptCounts.of(horizon, streams) }
      : { horizon, streams: undefined, counts: new Map() };
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
