import { Refusal, type Test } from './oracle-filter.ts';
import { canFilter, readFilterOf } from './oracle-named.ts';
import { type Connections, fieldValue, idOf, narrow, type Row, type View } from './oracle-scope.ts';
import { fromClock, readDay, readInstant } from './oracle-values.ts';

export interface SearchArguments {
  query: string;
  also?: string[];
  streams?: string[];
  connection_id?: Connections;
  since?: string;
  until?: string;
  time_zone?: string;
  filter?: Record<string, unknown>;
}

/** By whose clock the stored times without a zone are read, and by whose the call's. */
type Clocks = Parameters<typeof readFilterOf>[3];

/**
 * Which records a search of whole words must find: those with any of the words of any wording in granted searchable
 * text. The words of these tests are no spellings and no forms of one another.
 */
export function search(views: readonly View[], args: SearchArguments, zone: string): Set<string> {
  const clocks = { stored: zone, shown: args.time_zone ?? zone };
  const connected = narrow(views, args.connection_id);
  for (const name of args.streams ?? [])
    if (!views.some((view) => view.place.spec.name === name)) throw new Refusal('unknown_stream');
  const range = [args.since, args.until].map((text) =>
    text === undefined ? undefined : readTime(text, clocks.shown),
  );
  const timed = range.some((edge) => edge !== undefined);
  const meant = connected
    .filter((view) => args.streams === undefined || args.streams.includes(view.place.spec.name))
    .filter((view) => searchedFields(view).length > 0)
    .filter((view) => !timed || view.timeField !== undefined);
  const rows = filterRows(meant, views, args.filter, clocks).filter((row) => isInside(row, range, clocks));

  const words = [args.query, ...(args.also ?? [])].flatMap(readWords);
  return new Set(rows.filter((row) => words.some((word) => textOf(row).includes(word))).map(idOf));
}

/** Only streams that have every filtered field can hold a match; if none has, the filter is refused. */
function filterRows(
  views: readonly View[],
  all: readonly View[],
  filter: Record<string, unknown> | undefined,
  clocks: Clocks,
): Row[] {
  if (filter === undefined) return views.flatMap((view) => view.rows);
  const fitting = views.filter((view) =>
    Object.keys(filter).every((name) =>
      canFilter(name, view, all, (kind) => kind !== 'text' && kind !== 'json'),
    ),
  );
  if (fitting.length === 0 && views.length > 0)
    throw new Refusal('unknown_field', 'unsupported_field', 'invalid_filter');
  const tests = new Map<View, Test>(fitting.map((view) => [view, readFilterOf(filter, view, all, clocks)]));
  return fitting.flatMap((view) => view.rows.filter((row) => tests.get(view)?.(row.data)));
}

/** From `since` on and before `until`. What has no time is neither; a day counts by when it begins by the clock of the call. */
function isInside(row: Row, [since, until]: (number | undefined)[], { stored, shown }: Clocks): boolean {
  if (since === undefined && until === undefined) return true;
  const value = row.view.timeField === undefined ? undefined : fieldValue(row, row.view.timeField, stored);
  if (typeof value !== 'number') return false;
  const time = row.view.kinds[row.view.timeField as string] === 'date' ? fromClock(value, shown) : value;
  return time >= (since ?? -Infinity) && time < (until ?? Infinity);
}

function readTime(text: string, zone: string): number {
  const day = readDay(text);
  const time = day === undefined ? readInstant(text, zone) : fromClock(day, zone);
  if (time === undefined) throw new Refusal('invalid_argument');
  return time;
}

function searchedFields(view: View): string[] {
  return view.place.spec.searchable.filter((name) => Object.hasOwn(view.kinds, name));
}

function textOf(row: Row): string[] {
  return searchedFields(row.view).flatMap((name) => {
    const value = row.data[name];
    return (Array.isArray(value) ? value : [value]).flatMap((one) =>
      typeof one === 'string' ? readWords(one) : [],
    );
  });
}

function readWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
