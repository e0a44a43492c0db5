import { collectWords, REMOVED, type TextChange, type Texts } from '../../postings/collect-words.ts';
import { splitIndexText } from '../../postings/index-words.ts';
import { encodeSegment } from '../../postings/segment.ts';
import { encodeLengths } from '../../postings/word-lengths.ts';
import type { WriteDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { eraseStreamWords, eraseUnusedSpellings } from './erase-words.ts';
import { ERASURES, Lexicon } from './lexicon.ts';
import { mergeIfNeeded } from './merge-words.ts';

/** The words of an owner's records. Writes are part of the current transaction. */
export interface WordIndex {
  /**
   * Changes the texts of records of one stream, in order. `before` holds every text that the record was indexed with;
   * `recordTexts` returns them from stored data.
   */
  write(streamId: number, changes: readonly TextChange[]): Promise<void>;
  /** Erases all words of a stream, in several transactions unless one is open. */
  eraseStream(streamId: number): Promise<void>;
  /** Erases the spellings that no record has, after words were erased. */
  eraseUnusedSpellings(): Promise<void>;
}

export function createWordIndex(database: WriteDatabase): WordIndex {
  const lexicon = new Lexicon(database);
  return {
    async write(streamId, changes) {
      const sorted = joinChanges(changes);
      const words = collectWords(sorted);
      if (words.length === 0) return;
      const chunks = encodeSegment(
        sorted.map(({ rid }) => rid),
        words,
      );
      const bytes = chunks.reduce((sum, { data }) => sum + data.length, 0);
      const owner = database.ownerId;
      const rows = await database.query<{ erasures: number }>(sql`
        with segment as (
          insert into word_segments (owner_id, stream_id, bytes) values (${owner}, ${streamId}, ${bytes})
          returning segment_id),
        chunks as (
          insert into word_chunks (owner_id, segment_id, first_term, data)
          select ${owner}::int4, s.segment_id, c.first_term, c.data
          from segment s, unnest(${chunks.map((chunk) => chunk.firstKey)}::text[],
            ${chunks.map((chunk) => chunk.data)}::bytea[]) c (first_term, data))
        select coalesce((select value from counters where owner_id = ${owner} and name = ${ERASURES}), 0) as erasures`);
      const added = words.filter(
        ({ pairs }) => !pairs.includes(REMOVED) || pairs.some((one, at) => at % 2 === 1 && one !== REMOVED),
      );
      await lexicon.add(
        added.map(({ key }) => key),
        rows[0]?.erasures ?? 0,
      );
      await database.afterCommit(() => mergeIfNeeded(database));
    },
    eraseStream: (streamId) => eraseStreamWords(database, streamId),
    eraseUnusedSpellings: () => eraseUnusedSpellings(database),
  };
}

/** Encodes how many words each text column of a record has, for `records.word_counts`. */
export function countWords(texts: Texts): Buffer {
  return encodeLengths(texts.map((text) => (text === '' ? 0 : splitIndexText(text).length)));
}

/** Joins the changes of each record to one, by ascending row id. */
function joinChanges(changes: readonly TextChange[]): TextChange[] {
  const joined = new Map<number, TextChange>();
  for (const change of changes) {
    const earlier = joined.get(change.rid);
    const before = earlier?.after === undefined ? change.before : [...change.before, earlier.after];
    joined.set(change.rid, { ...change, before: [...(earlier?.before ?? []), ...before] });
  }
  return [...joined.values()].sort((a, b) => a.rid - b.rid);
}
