import { type Kysely, type RawBuilder, sql } from 'kysely';
import { giveTurn } from '../../limits/give-turn.ts';
import { minuteOf, minuteOfRid, streamOf } from '../../store/rid.ts';
import { NO_TIME, type Tables } from '../../store/tables.ts';
import { inColumns } from '../../words/match-expression.ts';
import { isUnrestricted, visibleColumns } from '../scope.ts';
import {
  compareRows,
  groupColumns,
  isOfStreams,
  type MatchedRow,
  type MatchPart,
  orderOf,
  whereAnyPart,
} from './read-matches.ts';
import { readNumbers } from './read-numbers.ts';

/** A word of the index as it stands there, or every word that begins so. */
export interface Spelling {
  readonly word: string;
  readonly isBeginning: boolean;
}

/** Where words stand: lists side by side, a record's row id, the text column and the place in it. */
export interface Places {
  readonly rids: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  readonly offsets: ArrayLike<number>;
}

/** Every place where a word stands in a visible column of a visible record. No text is read for it. */
export async function readPlaces(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  { word, isBeginning }: Spelling,
): Promise<Places> {
  const term = isBeginning
    ? sql`v.term >= ${word} and v.term < ${`${word}\u{10ffff}`}`
    : sql`v.term = ${word}`;
  // As lists of numbers, because thousands of rows cost more on their way than in the database.
  const { rows } = await sql<{ rids: string; columns: string; offsets: string }>`
    select json_group_array(v.doc) as rids, json_group_array(v.col) as columns, json_group_array(v.offset) as offsets
    from places v where ${term} and ${whereRowVisible(parts, 'v.doc')}`.execute(db);
  const rids = readNumbers(rows[0]?.rids ?? '');
  const columns = readNumbers(rows[0]?.columns ?? '');
  const offsets = readNumbers(rows[0]?.offsets ?? '');
  await giveTurn();
  return keepColumns(parts, { rids, columns, offsets });
}

/** Leaves out what stands in columns that are not granted. */
function keepColumns(parts: readonly MatchPart[], found: Places): Places {
  const { visible, hidesSome } = columnsOf(parts);
  if (!hidesSome) return found;
  const at: number[] = [];
  for (let place = 0; place < found.rids.length; place++)
    if (visible.get(streamOf(found.rids[place] as number))?.has(found.columns[place] as number) === true)
      at.push(place);
  const pick = (list: ArrayLike<number>) => at.map((place) => list[place] as number);
  return { rids: pick(found.rids), columns: pick(found.columns), offsets: pick(found.offsets) };
}

interface VisibleColumns {
  /** By the number of the stream. */
  readonly visible: ReadonlyMap<number, ReadonlySet<number>>;
  /** Whether some stream has searched text that is not granted. */
  readonly hidesSome: boolean;
}

const known = new WeakMap<readonly MatchPart[], VisibleColumns>();

/** Which text columns may be looked in. Put together once for a search. */
function columnsOf(parts: readonly MatchPart[]): VisibleColumns {
  const columns = known.get(parts) ?? {
    visible: new Map(parts.map(({ scope }) => [scope.stream.streamId, new Set(visibleColumns(scope))])),
    hidesSome: parts.some(
      ({ scope }) => visibleColumns(scope).length < Object.keys(scope.stream.plan.texts).length,
    ),
  };
  known.set(parts, columns);
  return columns;
}

/** Visible records that match, at most so many: all of them, or no more than that there are more. */
export async function readMatching(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  expression: string,
  most: number,
): Promise<number[]> {
  const rids: number[] = [];
  for (const group of groupColumns(parts)) {
    const { rows } = await sql<{ rids: string }>`
      select json_group_array(rid) as rids from (
        select x.rowid as rid from texts x where x.texts match ${inColumns(group.columns, expression)}
          and ${whereRowVisible(group.parts, 'x.rowid')} limit ${most - rids.length})`.execute(db);
    rids.push(...readNumbers(rows[0]?.rids ?? ''));
    if (rids.length >= most) break;
  }
  await giveTurn();
  return rids;
}

/** How many visible records match, counted up to a number. */
export async function countMatching(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  expression: string,
  most: number,
): Promise<number> {
  let count = 0;
  for (const group of groupColumns(parts)) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (
        select 1 from texts x where x.texts match ${inColumns(group.columns, expression)}
          and ${whereRowVisible(group.parts, 'x.rowid')} limit ${most - count})`.execute(db);
    count += rows[0]?.n ?? 0;
    if (count >= most) break;
  }
  await giveTurn();
  return count;
}

/** A record that matched: where it lies, and how many words its visible text columns have. */
export interface MeasuredRow extends MatchedRow {
  readonly words: number;
}

const measured = new WeakMap<readonly MatchPart[], Map<number, MeasuredRow>>();
/** Rows that are kept for one choice of streams: some megabytes. */
const MOST_MEASURED = 10_000;

/**
 * Those of the records that are there and visible. What was read once is not read again, by the same search or, as long
 * as nothing changes, by the next ones.
 */
async function readMeasured(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  const kept = measured.get(parts);
  const known = kept === undefined || kept.size > MOST_MEASURED ? new Map<number, MeasuredRow>() : kept;
  measured.set(parts, known);
  const fresh = rids.filter((rid) => !known.has(rid));
  if (fresh.length > 0) for (const row of await measure(db, parts, fresh)) known.set(row.rid, row);
  return rids.flatMap((rid) => known.get(rid) ?? []);
}

async function measure(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MeasuredRow[]> {
  if (parts.length === 0) return [];
  const filtered = parts.some(({ conditions }) => conditions.length > 0);
  // As lists too: hundreds of rows with bytes in them cost twice as much.
  const { rows } = await sql<{ rids: string; keys: string; times: string; bytes: string; sizes: string }>`
    select json_group_array(r.rid) as rids, json_group_array(r.key) as keys, json_group_array(r.t) as times,
      json_group_array(octet_length(r.data)) as bytes, json_group_array(hex(d.sz)) as sizes
    from json_each(${JSON.stringify(rids)}) j cross join records r on r.rid = j.value
      left join texts_docsize d on d.id = r.rid
      ${filtered ? sql`join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key` : sql``}
    where ${whereAnyPart(parts, 'r.rid')}`.execute(db);
  const { visible } = columnsOf(parts);
  await giveTurn();
  const [found] = rows;
  if (found === undefined) return [];
  const keys = JSON.parse(found.keys) as string[];
  const times = JSON.parse(found.times) as number[];
  const bytes = readNumbers(found.bytes);
  const sizes = JSON.parse(found.sizes) as string[];
  return readNumbers(found.rids).map((rid, at) => {
    const stream_id = streamOf(rid);
    return {
      rid,
      stream_id,
      key: keys[at] as string,
      t: times[at] as number,
      size: bytes[at] as number,
      words: addSizes(sizes[at] as string, visible.get(stream_id)),
    };
  });
}

/**
 * How many words the visible columns have together. The index keeps a number for each column: seven bits a byte, the
 * highest bit saying that another byte follows.
 */
function addSizes(hex: string, visible: ReadonlySet<number> | undefined): number {
  let total = 0;
  let value = 0;
  let column = 0;
  for (let at = 0; at < hex.length; at += 2) {
    const byte = Number.parseInt(hex.slice(at, at + 2), 16);
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    if (visible?.has(column) === true) total += value;
    column += 1;
    value = 0;
  }
  return total;
}

/** So many records at least are read at once. */
const STEP = 64;

/**
 * The newest of many records, by a time that the reader may see and after them those without, of equals by place and
 * key: the order of readMatches. A row id tells a minute that its record is not later than, so few have to be read.
 */
export async function readNewest(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  rids: readonly number[],
  most: number,
): Promise<MeasuredRow[]> {
  const compare = compareRows(parts);
  const timed = new Set(
    parts.filter(({ scope }) => orderOf(scope) === 'time').map(({ scope }) => scope.stream.streamId),
  );
  const later = rids.filter((rid) => timed.has(streamOf(rid))).sort((a, b) => b - a);
  let best: MeasuredRow[] = [];
  const step = Math.max(STEP, most);
  for (let at = 0; at < later.length; at += step) {
    const last = best[most - 1];
    if (
      last !== undefined &&
      last.t !== NO_TIME &&
      minuteOf(last.t, last.key) > minuteOfRid(later[at] as number)
    )
      return best;
    best.push(...(await readMeasured(db, parts, later.slice(at, at + step))));
    best = best.sort(compare).slice(0, most);
  }
  const rest = rids.filter((rid) => !timed.has(streamOf(rid)));
  if (rest.length > 0) best.push(...(await readMeasured(db, parts, rest)));
  return best.sort(compare).slice(0, most);
}

const conditions = new WeakMap<readonly MatchPart[], Map<string, RawBuilder<boolean>>>();

/** The same condition for every word of a search is put together once. */
function whereRowVisible(parts: readonly MatchPart[], rid: 'x.rowid' | 'v.doc'): RawBuilder<boolean> {
  const known = conditions.get(parts) ?? new Map<string, RawBuilder<boolean>>();
  conditions.set(parts, known);
  const condition = known.get(rid) ?? makeCondition(parts, rid);
  known.set(rid, condition);
  return condition;
}

/** That a row of the index is visible. Streams without further limits are told by the row id alone. */
function makeCondition(parts: readonly MatchPart[], rid: 'x.rowid' | 'v.doc'): RawBuilder<boolean> {
  const free = parts.filter(({ scope, conditions }) => isUnrestricted(scope) && conditions.length === 0);
  const limited = parts.filter((part) => !free.includes(part));
  const tests: RawBuilder<boolean>[] = [];
  if (free.length > 0) tests.push(isOfStreams(free, rid));
  if (limited.length > 0) {
    const filtered = limited.some(({ conditions }) => conditions.length > 0);
    tests.push(sql`(${isOfStreams(limited, rid)} and exists (
      select 1 from records r
        ${filtered ? sql`join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key` : sql``}
      where r.rid = ${sql.raw(rid)} and ${whereAnyPart(limited, 'r.rid')}))`);
  }
  return tests.length === 0 ? sql`false` : sql`(${sql.join(tests, sql` or `)})`;
}
