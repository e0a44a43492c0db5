import { AppError } from '../../errors.ts';
import { expiryChoices, parseExpiryChoice } from '../../grants/expiry-choice.ts';
import type { GrantedStreamTerms } from '../../grants/grant.ts';
import { resolveGrant, type Window } from '../../grants/resolve-grant.ts';
import type { Catalog } from '../../schema-index/catalog.ts';
import { parseDate, parseTime, toUtc } from '../../time/instant.ts';
import type { ConsentForm } from './consent-form.ts';
import type { Offer } from './consent-offer.ts';
import type { AskedStream } from './requested-streams.ts';

export interface Choice {
  readonly streams: GrantedStreamTerms[];
  readonly expiresAt: Date | undefined;
}

/**
 * What the owner ticked, as frozen terms. It goes through the offer and looks for ticks, so nothing that was
 * not shown can be chosen. Nothing is filled in: what the form does not say is asked for again.
 */
export function readChoice(
  form: ConsentForm,
  offer: Offer,
  asked: readonly AskedStream[],
  catalog: Catalog,
  now: Date,
): Choice {
  const window = readWindow(form, catalog, now);
  const streams = offer.connections
    .flatMap((connection) => connection.streams)
    .filter(({ index, timed }) => form.streams.has(index) && (timed || !isLimited(window)))
    .flatMap((offered) => {
      const one = asked[offered.index] as AskedStream;
      const limits = narrow(window, one);
      if ((limits.since ?? -Infinity) >= (limits.until ?? Infinity)) return [];
      const names = offered.fields.filter((field) => field.always || form.fields.has(field.value));
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
  return { streams, expiresAt: readExpiry(form, catalog, now) };
}

function readExpiry({ expires }: ConsentForm, catalog: Catalog, now: Date): Date | undefined {
  if (!expiryChoices.some(({ value }) => value === expires)) {
    throw new AppError('invalid_argument', 'Choose for how long it may read.');
  }
  return parseExpiryChoice(expires, now, catalog.timeZone);
}

function isLimited(window: Window): boolean {
  return window.since !== undefined || window.until !== undefined;
}

function readWindow({ window: choice, since, until }: ConsentForm, catalog: Catalog, now: Date): Window {
  const window = {
    ...(since === '' ? {} : { since: readDay(since, catalog) }),
    ...(until === '' ? {} : { until: readDay(until, catalog, 1) }),
  };
  if (choice === '') throw new AppError('invalid_argument', 'Choose from which time it may read.');
  if (choice !== 'custom') {
    // Somebody who gives days does not mean all time.
    if (isLimited(window)) {
      throw new AppError('invalid_argument', 'Days were given, but “Between two days” was not chosen.', {
        hint: 'Choose it, or take the days away.',
      });
    }
    return choice === 'all' ? {} : { since: parseTime(choice, now.getTime(), catalog.timeZone) as number };
  }
  if (!isLimited(window)) throw new AppError('invalid_argument', 'Give the first day, the last, or both.');
  if ((window.since ?? -Infinity) >= (window.until ?? Infinity)) {
    throw new AppError('invalid_argument', 'The first day must not come after the last.');
  }
  return window;
}

/** When a day begins for the owner, or one so many days later: the chosen last day is inside. */
function readDay(text: string, catalog: Catalog, later = 0): number {
  const day = parseDate(text);
  if (day === undefined) throw new AppError('invalid_argument', 'A day is written like 2026-01-31.');
  return toUtc(day + later * 86_400_000, catalog.timeZone);
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
