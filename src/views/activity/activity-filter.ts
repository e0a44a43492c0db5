import { type RawBuilder, sql } from 'kysely';
import { strangerKinds } from '../../audit/event-kinds.ts';
import { AppError } from '../../errors.ts';
import { parseDate, toUtc } from '../../time/instant.ts';

/** What the activity page is narrowed to. Every part is optional and comes from the address. */
export interface ActivityFilter {
  /** A grant, or `owner` for what the owner did. Without it: everything but the owner's own browsing. */
  readonly app?: string;
  /** A tool, or `events` for what is not a read. */
  readonly tool?: string;
  readonly connection?: string;
  readonly outcome?: 'ok' | 'refused';
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

/** The stretch of time the days of a filter stand for. */
export function edgesOf({ from, to }: ActivityFilter, timeZone: string): { from?: number; to?: number } {
  const start = from === undefined ? undefined : parseDate(from);
  const end = to === undefined ? undefined : parseDate(to);
  return {
    ...(start === undefined ? {} : { from: toUtc(start, timeZone) }),
    ...(end === undefined ? {} : { to: toUtc(end + DAY, timeZone) }),
  };
}

export function whereRead(filter: ActivityFilter, timeZone: string): RawBuilder<boolean> {
  const { app, tool, connection, outcome } = filter;
  const parts = [...whereTimes(filter, timeZone)];
  if (tool === 'events') parts.push(sql`false`);
  else if (tool !== undefined) parts.push(sql`tool = ${tool}`);
  if (app === undefined) parts.push(sql`surface <> 'dashboard'`);
  else parts.push(app === 'owner' ? sql`grant_id is null` : sql`grant_id = ${app}`);
  if (connection !== undefined) parts.push(sql`instr(',' || connection_id || ',', ${`,${connection},`}) > 0`);
  if (outcome !== undefined) parts.push(outcome === 'ok' ? sql`outcome = 'ok'` : sql`outcome <> 'ok'`);
  return and(parts);
}

/** Events have no tool, no connection and no outcome: whoever asks for one of these asks for reads. */
export function whereEvent(filter: ActivityFilter, timeZone: string): RawBuilder<boolean> {
  const { app, tool, connection, outcome } = filter;
  const parts = [...whereTimes(filter, timeZone)];
  if ((tool !== undefined && tool !== 'events') || connection !== undefined || outcome !== undefined)
    parts.push(sql`false`);
  // What has no app is the owner's, unless a stranger did it.
  if (app === 'owner')
    parts.push(sql`grant_id is null and client_id is null and kind not in (${sql.join(strangerKinds)})`);
  else if (app !== undefined) parts.push(sql`grant_id = ${app}`);
  return and(parts);
}

function whereTimes(filter: ActivityFilter, timeZone: string): RawBuilder<boolean>[] {
  const { from, to } = edgesOf(filter, timeZone);
  return [
    ...(from === undefined ? [] : [sql<boolean>`at >= ${new Date(from).toISOString()}`]),
    ...(to === undefined ? [] : [sql<boolean>`at < ${new Date(to).toISOString()}`]),
  ];
}

function and(parts: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}
