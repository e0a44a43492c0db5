import { AppError } from '../errors.ts';
import { parseExpiryChoice } from '../grants/expiry-choice.ts';
import type { GrantedStreamTerms } from '../grants/grant.ts';
import { resolveGrant, type Window } from '../grants/resolve-grant.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import { parseDate, parseTime, toUtc } from '../schema-index/instant.ts';
import type { Offer } from './consent-offer.ts';
import type { AskedStream } from './requested-streams.ts';

/** How far back an app may look, as the page offers it. */
export const windowChoices = [
  { value: 'all', label: 'All time' },
  { value: 'last_365_days', label: 'The last year and from now on' },
  { value: 'last_30_days', label: 'The last 30 days and from now on' },
  { value: 'custom', label: 'Between two days' },
] as const;

export const DEFAULT_EXPIRY = '1y';

export interface Choice {
  readonly streams: GrantedStreamTerms[];
  readonly expiresAt: Date | undefined;
}

/**
 * What the owner ticked, as frozen terms. Streams and fields are named by their place in the offer, which the
 * digest has fixed, so nothing that was not shown can be chosen.
 */
export function readChoice(
  form: URLSearchParams,
  offer: Offer,
  asked: readonly AskedStream[],
  catalog: Catalog,
  now: Date,
): Choice {
  const window = readWindow(form, catalog, now);
  const ticked = new Set(form.getAll('stream'));
  const fields = new Set(form.getAll('field'));
  const streams = offer.connections
    .flatMap((connection) => connection.streams)
    .filter(({ index, timed }) => ticked.has(String(index)) && (timed || !isLimited(window)))
    .flatMap((offered) => {
      const one = asked[offered.index] as AskedStream;
      const limits = narrow(window, one);
      if ((limits.since ?? -Infinity) >= (limits.until ?? Infinity)) return [];
      const names = offered.fields.filter(
        (field, place) => field.always || fields.has(`${offered.index}.${place}`),
      );
      const allowance = {
        connection_id: one.stream.connection.connection_id,
        stream: one.stream.name,
        fields: names.map((field) => field.name),
        ...(one.keys === undefined ? {} : { keys: [...one.keys] }),
      };
      return resolveGrant(catalog, [allowance], limits).streams;
    });
  if (streams.length === 0) {
    throw new AppError('invalid_argument', 'Nothing was chosen.', {
      hint: 'Tick at least one stream that the time window can apply to, or deny.',
    });
  }
  return {
    streams,
    expiresAt: parseExpiryChoice(form.get('expires') ?? DEFAULT_EXPIRY, now, catalog.timeZone),
  };
}

function isLimited(window: Window): boolean {
  return window.since !== undefined || window.until !== undefined;
}

function readWindow(form: URLSearchParams, catalog: Catalog, now: Date): Window {
  const choice = form.get('window') ?? 'all';
  if (choice === 'all') return {};
  if (choice !== 'custom') return { since: readDay(choice, catalog, now) };
  const [since, until] = [form.get('since') ?? '', form.get('until') ?? ''];
  const window = {
    ...(since === '' ? {} : { since: readDay(since, catalog, now) }),
    ...(until === '' ? {} : { until: readEnd(until, catalog) }),
  };
  if (window.since !== undefined && window.until !== undefined && window.since >= window.until) {
    throw new AppError('invalid_argument', 'The first day must not come after the last.');
  }
  return window;
}

function readDay(text: string, catalog: Catalog, now: Date): number {
  const time = /^(\d{4}-\d\d-\d\d|last_\d{1,4}_days)$/.test(text)
    ? parseTime(text, now.getTime(), catalog.timeZone)
    : undefined;
  if (time === undefined) throw noDay();
  return time;
}

/** The chosen day is the last one inside. */
function readEnd(text: string, catalog: Catalog): number {
  const day = parseDate(text);
  if (day === undefined) throw noDay();
  return toUtc(day + 86_400_000, catalog.timeZone);
}

function noDay(): AppError {
  return new AppError('invalid_argument', 'A day is written like 2026-01-31.');
}

/** A window the client set itself can only become smaller. */
function narrow(window: Window, asked: AskedStream): Window {
  const since = Math.max(window.since ?? -Infinity, asked.since ?? -Infinity);
  const until = Math.min(window.until ?? Infinity, asked.until ?? Infinity);
  return {
    ...(since === -Infinity ? {} : { since }),
    ...(until === Infinity ? {} : { until }),
  };
}
