import { AppError } from '../../errors.ts';
import { expiryChoices, parseExpiryChoice } from '../../grants/expiry-choice.ts';
import type { GrantedStreamTerms } from '../../grants/grant.ts';
import { resolveGrant, type Window } from '../../grants/resolve-grant.ts';
import type { Catalog } from '../../schema-index/catalog.ts';
import { DAY_MS } from '../../time/durations.ts';
import { parseDate, toUtc } from '../../time/instant.ts';
import { parseTime } from '../../time/period.ts';
import { type ConsentForm, fillForm, KEEP } from './consent-form.ts';
import type { HeldAccess, Offer, OfferedStream } from './consent-offer.ts';
import type { AskedStream } from './requested-streams.ts';

/** What the owner decides about: an offer, and what it was made from. */
export interface Pending {
  readonly offer: Offer;
  readonly asked: readonly AskedStream[];
  readonly catalog: Catalog;
}

/** What a form would give if it were approved now, and what keeps it from being approved. */
export interface Choice {
  /** As frozen terms, by the place of the stream in the offer. */
  readonly chosen: ReadonlyMap<number, GrantedStreamTerms>;
  /** What the app would see of each stream that can be given, ticked or not. */
  readonly possible: ReadonlyMap<number, GrantedStreamTerms>;
  readonly window: Window | undefined;
  readonly end: { readonly expiresAt: Date | undefined } | undefined;
  readonly problems: readonly FieldProblem[];
}

/** What is wrong with a consent form, and at which part of the page that is to be put right. */
export interface FieldProblem {
  readonly at: 'streams' | 'window' | 'expires';
  readonly text: string;
}

/** A form that approves nothing. The page says each problem where it is. */
export class FormRefused extends AppError {
  constructor(problems: readonly FieldProblem[]) {
    super('invalid_argument', problems.map(({ text }) => text).join(' '));
  }
}

const NOTHING: FieldProblem = {
  at: 'streams',
  text: 'Select what the app may read, or deny access.',
};
const NO_TIME: FieldProblem = {
  at: 'streams',
  text: 'Nothing you selected has a date. Select something else, allow all time, or deny access.',
};

/**
 * Reads what the owner ticked. It goes through the offer and looks for ticks, so nothing that was not shown can be
 * chosen. Nothing is filled in: what the form does not say is asked for again.
 */
export function readChoice(form: ConsentForm, { offer, asked, catalog }: Pending, now: Date): Choice {
  const clock = { now, timeZone: catalog.timeZone };
  const [window, end] = [readWindow(form, clock, offer.held), readEnd(form, clock, offer.held)];
  const offered = offer.connections.flatMap((connection) => connection.streams);
  const possible = new Map(
    isProblem(window)
      ? []
      : offered.flatMap((stream) =>
          resolveTerms(form, stream, asked[stream.index] as AskedStream, catalog, window).map(
            (terms) => [stream.index, terms] as const,
          ),
        ),
  );
  const chosen = new Map([...possible].filter(([index]) => form.streams.has(index)));
  // Without a time it is not known what can be chosen; that a tick is missing is known anyway.
  const isNothing = isProblem(window) ? form.streams.size === 0 : chosen.size === 0;
  return {
    chosen,
    possible,
    window: isProblem(window) ? undefined : window,
    end: isProblem(end) ? undefined : end,
    problems: [...(isNothing ? [form.streams.size === 0 ? NOTHING : NO_TIME] : []), window, end].filter(
      isProblem,
    ),
  };
}

/** What a form that was sent approves. Refuses one with problems. */
export function checkChoice(
  pending: Pending,
  sent: URLSearchParams,
  now: Date,
): { streams: GrantedStreamTerms[]; expiresAt: Date | undefined } {
  const { chosen, end, problems } = readChoice(fillForm(pending.offer, sent), pending, now);
  if (problems.length > 0) throw new FormRefused(problems);
  return { streams: [...chosen.values()], expiresAt: end?.expiresAt };
}

function isProblem(read: object): read is FieldProblem {
  return 'at' in read;
}

/** The moment a form is read at, by the owner's clock. */
interface OwnerClock {
  readonly now: Date;
  readonly timeZone: string;
}

/** From when to when an app may read, or what is wrong with what was chosen. */
function readWindow(
  { window: choice, since, until }: ConsentForm,
  { now, timeZone }: OwnerClock,
  held: HeldAccess | undefined,
): Window | FieldProblem {
  const refuse = (text: string): FieldProblem => ({ at: 'window', text });
  const [first, last] = [parseDate(since), parseDate(until)];
  if ((since !== '' && first === undefined) || (until !== '' && last === undefined))
    return refuse('Enter dates as YYYY-MM-DD, for example 2026-01-31.');
  if (choice === '') return refuse('Choose a period.');
  if (choice !== 'custom') {
    // Somebody who gives days does not mean all time.
    if (first !== undefined || last !== undefined)
      return refuse(
        'You entered dates but did not choose “Between two days”. Choose it, or clear the dates.',
      );
    if (choice === KEEP && held !== undefined) return intersect([held]);
    return choice === 'all' ? {} : { since: parseTime(choice, now.getTime(), timeZone) as number };
  }
  if (first === undefined && last === undefined) return refuse('Enter the first day, the last day, or both.');
  if (first !== undefined && last !== undefined && first > last)
    return refuse('The first day must not be after the last day.');
  return {
    ...(first === undefined ? {} : { since: toUtc(first, timeZone) }),
    // When the day after begins for the owner: the chosen last day is inside.
    ...(last === undefined ? {} : { until: toUtc(last + DAY_MS, timeZone) }),
  };
}

/** When access ends, or what is wrong with what was chosen. */
function readEnd(
  { expires }: ConsentForm,
  { now, timeZone }: OwnerClock,
  held: HeldAccess | undefined,
): { readonly expiresAt: Date | undefined } | FieldProblem {
  if (expires === KEEP && held !== undefined)
    return { expiresAt: held.expires_at === null ? undefined : new Date(held.expires_at) };
  if (!expiryChoices.some(({ value }) => value === expires))
    return { at: 'expires', text: 'Choose when access ends.' };
  return { expiresAt: parseExpiryChoice(expires, now, timeZone) };
}

/** A stream with the ticked fields in the chosen window, which cannot reach beyond what the app asked for; or nothing. */
function resolveTerms(
  form: ConsentForm,
  offered: OfferedStream,
  asked: AskedStream,
  catalog: Catalog,
  window: Window,
): readonly GrantedStreamTerms[] {
  const names = offered.fields.filter((field) => field.always || form.fields.has(field.value));
  const allowance = {
    connection_id: asked.stream.connection.connection_id,
    stream: asked.stream.name,
    fields: names.map((field) => field.name),
    ...(asked.keys === undefined ? {} : { keys: [...asked.keys] }),
  };
  if (form.window === KEEP && asked.held !== undefined) {
    const { time_field, ...window } = asked.held;
    return resolveGrant(catalog, [allowance]).streams.map((terms) => ({
      ...terms,
      ...(time_field === undefined ? {} : { time_field }),
      ...intersect([window]),
    }));
  }
  if (!offered.timed && (window.since !== undefined || window.until !== undefined)) return [];
  // A window the client set itself can only become smaller.
  const limits = intersect([window, asked]);
  if (limits.since !== undefined && limits.until !== undefined && limits.since >= limits.until) return [];
  return resolveGrant(catalog, [allowance], limits).streams;
}

type Bounds = { readonly since?: number | undefined; readonly until?: number | undefined };

/** The time that all windows share. */
export function intersect(windows: readonly Bounds[]): Window {
  const since = windows.flatMap((one) => one.since ?? []);
  const until = windows.flatMap((one) => one.until ?? []);
  return {
    ...(since.length === 0 ? {} : { since: Math.max(...since) }),
    ...(until.length === 0 ? {} : { until: Math.min(...until) }),
  };
}
