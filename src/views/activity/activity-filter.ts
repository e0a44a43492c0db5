import { anonymousKinds } from '../../audit/event-kinds.ts';
import { AppError } from '../../errors.ts';
import type { EventFilter, ReadFilter } from '../../store/audit-store.ts';
import { DAY_MS } from '../../time/durations.ts';
import { parseDate, toUtc } from '../../time/instant.ts';

/** The filter of the activity page, from the address. */
export interface ActivityFilter {
  /** A grant, or `owner`. Without it, all reads except those on the owner's pages. */
  readonly app?: string | undefined;
  /** A tool, or `events`. */
  readonly tool?: string | undefined;
  readonly connection?: string | undefined;
  readonly outcome?: 'ok' | 'refused' | undefined;
  /** Days of the owner's calendar, inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The cursor of the next page, which has only reads and events with ids below these. */
export interface Before {
  readonly read: number;
  readonly event: number;
}

const START: Before = { read: Number.MAX_SAFE_INTEGER, event: Number.MAX_SAFE_INTEGER };
const NAME = /^[\w-]{1,80}$/;

/** Parses the query of the URL. Empty values count as absent, because forms send every field. */
export function parseActivityFilter(query: Readonly<Record<string, string | undefined>>): ActivityFilter {
  const { app, tool, connection, outcome, from, to } = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== ''),
  );
  for (const name of [app, tool, connection])
    if (name !== undefined && !NAME.test(name)) throw invalidFilter('name');
  for (const day of [from, to])
    if (day !== undefined && parseDate(day) === undefined) throw invalidFilter('day');
  if (outcome !== undefined && outcome !== 'ok' && outcome !== 'refused') throw invalidFilter('outcome');
  return { app, tool, connection, outcome, from, to };
}

function invalidFilter(part: string): AppError {
  return new AppError('invalid_argument', `The ${part} in the filter is not valid.`, {
    hint: 'Write days as 2026-01-31, and the outcome as ok or refused.',
  });
}

export function parseBefore(text: string | undefined): Before {
  if (text === undefined || text === '') return START;
  const [, read, event] = /^(\d{1,15})?\.(\d{1,15})?$/.exec(text) ?? [];
  if (read === undefined && event === undefined) {
    throw new AppError('invalid_cursor', 'The page cursor is not valid.', {
      hint: 'Remove "before" from the address.',
    });
  }
  return { read: Number(read ?? START.read), event: Number(event ?? START.event) };
}

export function writeBefore({ read, event }: Before): string {
  return `${read === START.read ? '' : read}.${event === START.event ? '' : event}`;
}

/** What a filter selects. `reads` or `events` is absent if the filter excludes it. */
export interface ActivityScope {
  /** The filtered days, in milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly reads?: ReadFilter | undefined;
  readonly events?: EventFilter | undefined;
}

export function toScope(filter: ActivityFilter, timeZone: string): ActivityScope {
  const { app, tool, connection, outcome } = filter;
  const start = filter.from === undefined ? undefined : parseDate(filter.from);
  const end = filter.to === undefined ? undefined : parseDate(filter.to);
  const from = start === undefined ? undefined : toUtc(start, timeZone);
  const to = end === undefined ? undefined : toUtc(end + DAY_MS, timeZone);
  const times = { from: writeTime(from), to: writeTime(to) };
  const grantId = app === 'owner' ? null : app;
  const exceptSurface = app === undefined ? 'dashboard' : undefined;
  // Events without an app are the owner's, except those of unknown callers.
  const ownerEvents = { clientId: null, exceptKinds: anonymousKinds };
  const includesEvents =
    (tool === undefined || tool === 'events') && connection === undefined && outcome === undefined;
  return {
    from,
    to,
    reads:
      tool === 'events'
        ? undefined
        : { ...times, tool, grantId, exceptSurface, connectionId: connection, outcome },
    events: includesEvents ? { ...times, grantId, ...(app === 'owner' ? ownerEvents : {}) } : undefined,
  };
}

function writeTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
