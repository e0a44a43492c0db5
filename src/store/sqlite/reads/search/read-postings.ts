import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../../../../words/match-terms.ts';
import type { FieldRole, FieldRoles, MatchPart, Postings } from '../../../search-reads.ts';
import { streamOf } from '../../rid.ts';
import { isScanStep, type ScanRows } from '../../scan-rows.ts';
import type { Tables } from '../../tables.ts';
import { visibleColumns } from '../scope-sql.ts';
import { whereRowVisible } from './match-sql.ts';

/** The number of positions that are kept of a record: ranking uses no more. */
const MAX_POSITIONS = 64;
/** The distance between the positions of two columns. No text has as many words. */
const COLUMN = 2 ** 32;

/**
 * Reads where a spelling occurs in the granted columns of visible records, from the index and not from texts. The index
 * may hold the word millions of times, so it is read in steps.
 */
export async function readPostings(
  db: Kysely<Tables>,
  scanRows: ScanRows,
  parts: readonly MatchPart[],
  roles: FieldRoles,
  { word, isPrefix }: Spelling,
): Promise<Postings> {
  const term = isPrefix ? sql`v.term >= ${word} and v.term < ${`${word}\u{10ffff}`}` : sql`v.term = ${word}`;
  const scan = sql`
    select 1 from places v where ${term} and
      case when ${whereRowVisible(parts, 'v.doc')} then visit(v.doc, cast(substr(v.col, 2) as integer), v.offset)
        else ${sql.raw(isScanStep('v.rowid'))} end`.compile(db);
  const columns = rolesByColumn(parts, roles);
  const counted = new Map<number, Counted>();
  let last: Counted | undefined;
  await scanRows(scan, (record, column, offset) => {
    const role = columns.get(streamOf(record))?.[column];
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

/** Returns the role of each granted text column, by stream. */
function rolesByColumn(
  parts: readonly MatchPart[],
  roles: FieldRoles,
): ReadonlyMap<number, readonly (FieldRole | undefined)[]> {
  return new Map(
    parts.map(({ scope }) => {
      const { streamId, plan } = scope.stream;
      const byColumn: (FieldRole | undefined)[] = [];
      const granted = visibleColumns(scope);
      for (const [name, role] of roles.get(streamId) ?? []) {
        const column = plan.texts[name];
        if (column !== undefined && granted.includes(column)) byColumn[column] = role;
      }
      return [streamId, byColumn];
    }),
  );
}

interface Counted extends Record<FieldRole, number> {
  readonly record: number;
  readonly positions: number[];
}

function pack(counted: Counted[]): Postings {
  // The scan goes through words with the same beginning one after another, each with its own records.
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
