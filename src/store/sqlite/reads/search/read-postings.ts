import { type RawBuilder, sql } from 'kysely';
import type { Spelling } from '../../../../words/match-terms.ts';
import { PostingCounter } from '../../../search/count-postings.ts';
import type { FieldRoles, MatchPart, Postings } from '../../../search-reads.ts';
import { isScanStep, type ScanRows } from '../../scan-rows.ts';
import { createTemplate, FIRST, SECOND } from '../../template.ts';
import { whereRowVisible } from './match-sql.ts';

const scanTerm = (parts: readonly MatchPart[], term: RawBuilder<boolean>) => sql`
  select 1 from places v where ${term} and
    case when ${whereRowVisible(parts, 'v.doc')} then visit(v.doc, cast(substr(v.col, 2) as integer), v.offset)
      else ${sql.raw(isScanStep('v.rowid'))} end`;
const scanWord = createTemplate((parts: readonly MatchPart[]) => scanTerm(parts, sql`v.term = ${FIRST}`));
const scanPrefix = createTemplate((parts: readonly MatchPart[]) =>
  scanTerm(parts, sql`v.term >= ${FIRST} and v.term < ${SECOND}`),
);

/**
 * Reads where a spelling occurs in the granted columns of visible records, from the index and not from texts. The index
 * may hold the word millions of times, so it is read in steps.
 */
export async function readPostings(
  scanRows: ScanRows,
  parts: readonly MatchPart[],
  roles: FieldRoles,
  { word, isPrefix }: Spelling,
): Promise<Postings> {
  const scan = isPrefix ? scanPrefix(parts, word, `${word}\u{10ffff}`) : scanWord(parts, word);
  const counter = new PostingCounter(parts, roles);
  await scanRows(scan, (record, column, offset) => counter.add(record, column, offset));
  return counter.pack();
}
