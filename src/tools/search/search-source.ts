import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { Found, Match } from '../../reader/granted-record.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { MatchScope } from '../../reader/search/search-cache.ts';
import type { Candidate } from '../../search/rank.ts';
import type { SearchSource } from '../../search/search-source.ts';
import type { CandidateText } from '../../search/snippet.ts';
import { searchText } from '../../words/index-text.ts';
import { idOf } from '../record-view.ts';
import { statusField, whoFields } from './search-hit.ts';

/** A record that matches. Its id is formatted when it is first needed: most hits are never shown. */
export class Hit implements Candidate {
  readonly found: Found;
  #id: string | undefined;

  constructor(found: Found) {
    this.found = found;
  }

  get id(): string {
    this.#id ??= idOf(this.found);
    return this.#id;
  }

  get t(): number | undefined {
    return this.found.t;
  }
}

/** A hit with its searched texts and the other fields that are shown. */
export interface ReadHit {
  readonly candidate: Hit;
  readonly texts: readonly CandidateText[];
  readonly match: Match;
}

/** Returns what a search reads, through the grant. */
export function createSource(reader: GrantedReader, where: MatchScope): SearchSource<Hit> {
  return {
    countRecords: () => reader.search.countAll(where),
    countMatching: (terms, limit) => reader.search.countMatching(where, terms, limit),
    listMatching: (terms, limit) => reader.search.matching(where, terms, limit),
    listNewest: (terms, limit) => reader.search.newestMatching(where, terms, limit),
    findPostings: (spelling) => reader.search.postings(where, spelling),
    measureNewest: async (records, most) =>
      (await reader.search.newest(where, records, most)).map(({ record, found, words }) => ({
        record,
        words,
        candidate: new Hit(found),
      })),
    read: (hits, characters) => readHits(reader, hits, characters),
    findSimilar: (word, countTo) => reader.search.words.similar(where, word, countTo),
    findCompounds: (letters, roleOf, countTo) =>
      reader.search.words.compounds(where, letters, roleOf, countTo),
    findForms: (beginning, isForm, countTo) => reader.search.words.forms(where, beginning, isForm, countTo),
  };
}

/** Reads hits with their texts, each cut after a number of characters. */
export async function* readHits(
  reader: GrantedReader,
  hits: readonly Hit[],
  characters: number,
): AsyncGenerator<ReadHit> {
  const byFound = new Map(hits.map((hit) => [hit.found, hit]));
  for await (const { found, record } of reader.search.texts([...byFound.keys()], neededFields, characters)) {
    const { stream } = found;
    const texts = searchedFields(stream).flatMap((field) => {
      const text = searchText(record[field]);
      return text === '' ? [] : [{ text, isTitle: field === stream.titleField }];
    });
    yield { candidate: byFound.get(found) as Hit, texts, match: { ...found, record } };
  }
}

function neededFields(stream: GrantedStream): string[] {
  const title = stream.titleField === undefined ? [] : [stream.titleField];
  const status = statusField(stream) ?? [];
  return [...new Set([...searchedFields(stream), ...title, ...whoFields(stream), status].flat())];
}

/** Returns the fields of a stream that are searched. */
export function searchedFields(stream: GrantedStream): readonly string[] {
  const known =
    searched.get(stream) ??
    [...stream.fields.values()].filter((field) => field.search).map((field) => field.name);
  searched.set(stream, known);
  return known;
}

/** Every search asks for the fields of all streams. */
const searched = new WeakMap<GrantedStream, readonly string[]>();
