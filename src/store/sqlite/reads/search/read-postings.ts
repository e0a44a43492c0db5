import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../../../../words/match-terms.ts';
import type { ColumnRoles, FieldRole, MatchPart, Postings } from '../../../search-reads.ts';
import { streamOf } from '../../rid.ts';
import { isScanStep, type ScanRows } from '../../scan-rows.ts';
import type { Tables } from '../../tables.ts';
import { whereRowVisible } from './visible-rows.ts';

/** Positions that are kept of a record: its first ones. Ranking looks at no more of them. */
const MAX_POSITIONS = 64;
/** No text has so many words. */
const COLUMN = 2 ** 32;

/**
 * What each visible record has of a spelling in its granted columns. No text is read for it. The index may hold the
 * word millions of times, so it is read in steps, and of each record is kept what ranking looks at.
 */
export async function readPostings(
  db: Kysely<Tables>,
  scanRows: ScanRows,
  parts: readonly MatchPart[],
  roles: ColumnRoles,
  { word, isBeginning }: Spelling,
): Promise<Postings> {
  const term = isBeginning
    ? sql`v.term >= ${word} and v.term < ${`${word}\u{10ffff}`}`
    : sql`v.term = ${word}`;
  const scan = sql`
    select 1 from places v where ${term} and
      case when ${whereRowVisible(parts, 'v.doc')} then visit(v.doc, cast(substr(v.col, 2) as integer), v.offset)
        else ${sql.raw(isScanStep('v.rowid'))} end`.compile(db);
  const counted = new Map<number, Counted>();
  let last: Counted | undefined;
  await scanRows(scan, (record, column, offset) => {
    const role = roles.get(streamOf(record))?.[column];
    if (role === undefined) return;
    if (last?.record !== record) {
      last = counted.get(record) ?? { record, title: 0, people: 0, body: 0, positions: [] };
      counted.set(record, last);
    }
    last[role] += 1;
    if (last.positions.length < MAX_POSITIONS) last.positions.push(column * COLUMN + offset);
  });
  return pack([...counted.values()]);
}

interface Counted extends Record<FieldRole, number> {
  readonly record: number;
  readonly positions: number[];
}

function pack(counted: Counted[]): Postings {
  // Words that begin alike come one after the other, each with its own records.
  counted.sort((a, b) => a.record - b.record);
  const postings = {
    records: new Float64Array(counted.length),
    title: new Uint32Array(counted.length),
    people: new Uint32Array(counted.length),
    body: new Uint32Array(counted.length),
    ends: new Uint32Array(counted.length),
  };
  const all: number[] = [];
  for (const [at, { record, title, people, body, positions }] of counted.entries()) {
    for (const position of positions) all.push(position);
    postings.records[at] = record;
    postings.title[at] = title;
    postings.people[at] = people;
    postings.body[at] = body;
    postings.ends[at] = all.length;
  }
  return { ...postings, positions: Float64Array.from(all) };
}
