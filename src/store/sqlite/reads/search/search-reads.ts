import type { Kysely } from 'kysely';
import { readNewestMatched } from '../../../search/newest-matched.ts';
import { readTexts } from '../../../search/read-texts.ts';
import type { SearchReads } from '../../../search-reads.ts';
import type { ScanRows } from '../../scan-rows.ts';
import type { Tables } from '../../tables.ts';
import { readRows } from '../../template.ts';
import { readMatches } from './read-matches.ts';
import { countMatching, readMatching } from './read-matching.ts';
import { readMeasured } from './read-measured.ts';
import { readPostings } from './read-postings.ts';
import { createVersionReads } from './version-reads.ts';

const WORDS_BETWEEN = 'select word from lexicon where word >= ? and word < ? order by word';

export function createSearchReads(db: Kysely<Tables>, scanRows: ScanRows): SearchReads {
  return {
    inSnapshot: (work) => work(),
    newestMatching: async (parts, terms, limit) =>
      (await readMatches(db, parts, terms, limit)).map(({ rid }) => rid),
    matching: readMatching.bind(undefined, db),
    countMatching: countMatching.bind(undefined, db),
    postings: readPostings.bind(undefined, scanRows),
    newest: readNewestMatched.bind(undefined, readMeasured.bind(undefined, db)),
    texts: readTexts.bind(undefined, createVersionReads(db)),
    async wordsWithPrefix(beginning) {
      const parameters = [beginning, `${beginning}\u{10ffff}`];
      const rows = readRows<{ word: string }>(db, { sql: WORDS_BETWEEN, parameters });
      return rows.map(({ word }) => word);
    },
  };
}
