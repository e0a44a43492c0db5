import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Condition } from '../schema-index/filter.ts';
import { minuteStart, streamOfRid } from '../store/rid.ts';
import type { Tables } from '../store/tables.ts';
import { whereConditions } from './conditions-sql.ts';
import { dataForList, isUnrestricted, type Scope, visibleColumns, whereVisible } from './scope.ts';

/** One stream to look in, with what its records must meet. */
export interface MatchPart {
  readonly scope: Scope;
  readonly conditions: readonly Condition[];
}

export interface MatchRequest {
  /** A full-text expression made of quoted terms only; the columns are added here. */
  readonly expression: string;
  readonly limit: number;
}

export interface MatchedRow {
  rid: number;
  stream_id: number;
  key: string;
  t: number;
  data: string;
}

/**
 * Visible records that match in granted columns, at most `limit` per group of streams that are searched
 * alike. The newest come first, because a common word has more matches than can be ranked and time is
 * something the reader may see; where they may not, the order is by key. The index's own ranking is never
 * asked, since it counts hidden records.
 */
export async function readMatches(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  request: MatchRequest,
): Promise<MatchedRow[]> {
  const found: MatchedRow[] = [];
  for (const group of groupParts(parts)) found.push(...(await readGroup(db, group, request)));
  return found;
}

interface PartGroup {
  readonly columns: string;
  readonly byTime: boolean;
  readonly parts: MatchPart[];
}

/** Streams whose visible text lies in the same columns can share one walk of the index. */
function groupParts(parts: readonly MatchPart[]): PartGroup[] {
  const groups = new Map<string, PartGroup>();
  for (const part of parts) {
    const { scope } = part;
    const visible = visibleColumns(scope);
    if (visible.length === 0) continue;
    // With every text column granted there is nothing to keep out, whichever columns they are.
    const columns =
      visible.length === Object.keys(scope.stream.plan.texts).length
        ? ''
        : `{${visible.map((c) => `c${c}`).join(' ')}} : `;
    const { timeField } = scope.stream;
    const byTime = timeField === undefined || scope.fields.has(timeField.name);
    const key = `${columns}${byTime}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { columns, byTime, parts: [part] });
    else group.parts.push(part);
  }
  return [...groups.values()];
}

async function readGroup(db: Kysely<Tables>, group: PartGroup, request: MatchRequest): Promise<MatchedRow[]> {
  const rows = await readWalk(db, group, request, sql``, sql`limit ${request.limit}`);
  const last = rows.at(-1);
  if (!group.byTime || last === undefined || rows.length < request.limit) return rows;
  // Within a minute row ids follow the order of writing, which may tell of hidden edits: take the minute whole.
  const rest = sql`and x.rowid < ${last.rid} and x.rowid >= ${sql.raw(minuteStart(String(last.rid)))}`;
  return [...rows, ...(await readWalk(db, group, request, rest, sql``))];
}

async function readWalk(
  db: Kysely<Tables>,
  group: PartGroup,
  request: MatchRequest,
  range: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
): Promise<MatchedRow[]> {
  const filtered = group.parts.some(({ conditions }) => conditions.length > 0);
  const { rows } = await sql<MatchedRow>`
    select r.rid as rid, r.stream_id as stream_id, r.key as key, r.t as t, ${dataForList('r')} as data
    from texts x join records r on r.rid = x.rowid
      ${filtered ? sql`join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key` : sql``}
    where x.texts match ${`${group.columns}(${request.expression})`}
      and ${whereAnyPart(group.parts)} ${range}
    order by ${group.byTime ? sql`x.rowid desc` : sql`r.stream_id, r.key`} ${limit}`.execute(db);
  return rows;
}

/** Streams without further limits are told by the row id alone, before the record is looked at. */
function whereAnyPart(parts: readonly MatchPart[]): RawBuilder<boolean> {
  const free = parts.filter(({ scope, conditions }) => isUnrestricted(scope) && conditions.length === 0);
  const limited = parts.filter((part) => !free.includes(part));
  const ids = free.map(({ scope }) => scope.stream.streamId);
  const tests = limited.map(
    ({ scope, conditions }) =>
      sql<boolean>`(${whereVisible(scope, 'r')} and ${whereConditions(scope, conditions)})`,
  );
  if (ids.length > 0) tests.push(sql`${sql.raw(streamOfRid('x.rowid'))} in (${sql.join(ids)})`);
  return sql`(${sql.join(tests, sql` or `)})`;
}

/** Every word of the index, for finding the ones that a misspelt word may mean. It is not shown to anyone. */
export async function readWords(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{
    term: string;
  }>`select term from words where length(term) between 3 and 40`.execute(db);
  return rows.map((row) => row.term);
}

/** Records that changed after a change number, at most `limit` of them, for the words they may have brought. */
export async function readChangedData(db: Kysely<Tables>, since: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ data: string }>`
    select data from records where stream_id in (select stream_id from streams) and seq > ${since} limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.data);
}
