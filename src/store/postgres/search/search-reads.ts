import { sumLengths } from '../../postings/word-lengths.ts';
import { readNewestMatched } from '../../search/newest-matched.ts';
import { readTexts, type StoredVersion, type VersionReads } from '../../search/read-texts.ts';
import type { MatchedRow, MatchPart, MeasuredRow, SearchReads } from '../../search-reads.ts';
import type { StoredReads } from '../../stored-reads.ts';
import type { PostgresDatabase } from '../database.ts';
import { hasRid } from '../reads/few-values.ts';
import { createLargeReads, decodeVersion, storedVersion } from '../reads/large-reads.ts';
import { type Sql, sql } from '../sql.ts';
import type { SnapshotDatabase } from './join-snapshots.ts';
import { readMatches } from './read-matches.ts';
import { countMatching, readMatching } from './read-matching.ts';
import { readPostings } from './read-postings.ts';
import { searchScope, whereAnyPart } from './search-scope.ts';

export function createSearchReads(database: SnapshotDatabase): SearchReads {
  return {
    inSnapshot: database.inSnapshot,
    newestMatching: async (parts, terms, limit) =>
      (await readMatches(database, parts, terms, limit)).map(({ rid }) => rid),
    matching: readMatching.bind(undefined, database),
    countMatching: countMatching.bind(undefined, database),
    postings: readPostings.bind(undefined, database),
    newest: readNewestMatched.bind(undefined, readMeasured.bind(undefined, database)),
    texts: readTexts.bind(undefined, createVersionReads(database)),
    async wordsWithPrefix(beginning) {
      const rows = await database.query<{ word: string }>(sql`
        select word from lexicon where owner_id = ${database.ownerId} and word >= ${beginning}
          and word < ${`${beginning}\u{10ffff}`} order by word`);
      return rows.map(({ word }) => word);
    },
  };
}

/** Reads those of the records that exist and are visible, with the number of words in their granted texts. */
async function readMeasured(
  database: PostgresDatabase,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  const rows = await database.query<MatchedRow & { word_counts: Buffer }>(sql`
    select r.rid, r.stream_id, r.key, r.t, r.size, r.word_counts from records r
    where ${hasRid(rids)} and ${whereAnyPart(database, parts)}`);
  const { masks } = searchScope(parts);
  return rows.map(({ word_counts, ...row }) => ({
    ...row,
    words: sumLengths(word_counts, masks.get(row.stream_id) ?? 0),
  }));
}

function createVersionReads(database: PostgresDatabase): VersionReads {
  const read = async (parts: readonly MatchPart[], which: Sql) => {
    const rows = await database.query<StoredVersion>(sql`
      select r.stream_id, r.key, ${storedVersion('r')} as version from records r
      where ${which} and ${whereAnyPart(database, parts)}`);
    return rows.map((row) => ({ ...row, version: decodeVersion(row.version) }));
  };
  return {
    large: createLargeReads(database),
    readByRids: (parts, rids) => read(parts, hasRid(rids)),
    readByKey: (parts, streamId, key) => read(parts, sql`r.stream_id = ${streamId} and r.key = ${key}`),
  };
}

/** Reads stored words in batches, to correct typos in queries; see StoredReads. */
export function createReadWords(database: PostgresDatabase): StoredReads['words'] {
  return async (after, limit) => {
    // Returns one string, because transferring ten thousand rows costs more than reading them. No word has a line break.
    const [row] = await database.query<{ words: string | null; last: number | null }>(sql`
      select string_agg(word, ${'\n'} order by id) as words, max(id) as last from (
        select id, word from lexicon where owner_id = ${database.ownerId} and id > ${after}
        order by id limit ${limit}) found`);
    return { words: row?.words?.split('\n') ?? [], last: row?.last ?? after };
  };
}
