import type { Kysely } from 'kysely';
import type { SearchReads } from '../../../search-reads.ts';
import type { ScanRows } from '../../scan-rows.ts';
import type { Tables } from '../../tables.ts';
import { readMatches } from './read-matches.ts';
import { countMatching, readMatching } from './read-matching.ts';
import { readNewestMatched } from './read-newest-matched.ts';
import { readPostings } from './read-postings.ts';
import { readTexts } from './read-texts.ts';

export function createSearchReads(db: Kysely<Tables>, scanRows: ScanRows): SearchReads {
  return {
    newestMatching: async (parts, terms, limit) =>
      (await readMatches(db, parts, terms, limit)).map(({ rid }) => rid),
    matching: (parts, terms, limit) => readMatching(db, parts, terms, limit),
    countMatching: (parts, terms, limit) => countMatching(db, parts, terms, limit),
    postings: (parts, roles, spelling) => readPostings(db, scanRows, parts, roles, spelling),
    newest: (parts, records, limit) => readNewestMatched(db, parts, records, limit),
    texts: (parts, rows, request) => readTexts(db, parts, rows, request),
    async wordsBeginning(beginning) {
      const rows = await db
        .selectFrom('lexicon')
        .select('word')
        .where('word', '>=', beginning)
        .where('word', '<', `${beginning}\u{10ffff}`)
        .orderBy('word')
        .execute();
      return rows.map(({ word }) => word);
    },
  };
}
