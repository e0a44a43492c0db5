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
    matching: readMatching.bind(undefined, db),
    countMatching: countMatching.bind(undefined, db),
    postings: readPostings.bind(undefined, db, scanRows),
    newest: readNewestMatched.bind(undefined, db),
    texts: readTexts.bind(undefined, db),
    async wordsWithPrefix(beginning) {
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
