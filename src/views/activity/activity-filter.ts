import { AppError } from '../../errors.ts';
import { parseDate, toUtc } from '../../time/instant.ts';
import type { ActivityScope } from '../activity-store.ts';

/** What the activity page is narrowed to. Every part is optional and comes from the address. */
export interface ActivityFilter extends Pick<ActivityScope, 'app' | 'tool' | 'connection' | 'outcome'> {
  /** Days of the owner's calendar, both inside. */
  readonly from?: string;
  readonly to?: string;
}

/** Where a page of reads and events, each counted by its own ids, goes on. */
export interface Before {
  readonly read: number;
  readonly event: number;
}

const DAY = 86_400_000;
const START: Before = { read: Number.MAX_SAFE_INTEGER, event: Number.MAX_SAFE_INTEGER };
const NAME = /^[\w-]{1,80}$/;

/** Empty parts count as absent: a form sends every field it has. */
export function parseActivityFilter(query: Readonly<Record<string, string | undefined>>): ActivityFilter {
  const { app, tool, connection, outcome, from, to } = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== ''),
  );
  for (const name of [app, tool, connection]) if (name !== undefined && !NAME.test(name)) throw wrong('name');
  for (const day of [from, to]) if (day !== undefined && parseDate(day) === undefined) throw wrong('day');
  if (outcome !== undefined && outcome !== 'ok' && outcome !== 'refused') throw wrong('outcome');
  return {
    ...(app === undefined ? {} : { app }),
    ...(tool === undefined ? {} : { tool }),
    ...(connection === undefined ? {} : { connection }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function wrong(part: string): AppError {
  return new AppError('invalid_argument', `The ${part} to filter by has the wrong form.`, {
    hint: 'Days are written 2026-01-31; outcome is ok or refused.',
  });
}

export function parseBefore(text: string | undefined): Before {
  if (text === undefined || text === '') return START;
  const [, read, event] = /^(\d{1,15})?\.(\d{1,15})?$/.exec(text) ?? [];
  if (read === undefined && event === undefined) {
    throw new AppError('invalid_cursor', 'The page to go on from is not known.', {
      hint: 'Start again without before.',
    });
  }
  return { read: Number(read ?? START.read), event: Number(event ?? START.event) };
}

export function writeBefore({ read, event }: Before): string {
  return `${read === START.read ? '' : read}.${event === START.event ? '' : event}`;
}

/** Returns what the filter selects: its days become times by the owner's calendar. */
export function toScope(filter: ActivityFilter, timeZone: string): ActivityScope {
  const { from, to, ...rest } = filter;
  const start = from === undefined ? undefined : parseDate(from);
  const end = to === undefined ? undefined : parseDate(to);
  return {
    ...rest,
    ...(start === undefined ? {} : { from: toUtc(start, timeZone) }),
    ...(end === undefined ? {} : { to: toUtc(end + DAY, timeZone) }),
  };
}
