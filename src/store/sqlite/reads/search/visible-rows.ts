import { type RawBuilder, sql } from 'kysely';
import { isUnrestricted, visibleColumns } from '../../../scope.ts';
import type { MatchPart } from '../../../search-reads.ts';
import { isOfStreams, whereAnyPart } from './read-matches.ts';

const known = new WeakMap<readonly MatchPart[], ReadonlyMap<number, ReadonlySet<number>>>();

/** Which text columns may be looked in, by the number of the stream. Put together once for a search. */
export function columnsOf(parts: readonly MatchPart[]): ReadonlyMap<number, ReadonlySet<number>> {
  const columns =
    known.get(parts) ??
    new Map(parts.map(({ scope }) => [scope.stream.streamId, new Set(visibleColumns(scope))]));
  known.set(parts, columns);
  return columns;
}

const conditions = new WeakMap<readonly MatchPart[], Map<string, RawBuilder<boolean>>>();

/** The same condition for every word of a search is put together once. */
export function whereRowVisible(parts: readonly MatchPart[], rid: 'x.rowid' | 'v.doc'): RawBuilder<boolean> {
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
