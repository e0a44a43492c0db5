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
import type { RequestedStream } from './requested-streams.ts';

/** An offer, and the streams and catalog that it was created from. */
export interface Pending {
  readonly offer: Offer;
  readonly requestedStreams: readonly RequestedStream[];
  readonly catalog: Catalog;
}

/** The terms that a form would approve now, and the problems that prevent it. */
export interface Choice {
  /** The selected terms, by the position of the stream in the offer. */
  readonly chosen: ReadonlyMap<number, GrantedStreamTerms>;
  /** The terms of each stream that can be selected, ticked or not. */
  readonly possible: ReadonlyMap<number, GrantedStreamTerms>;
  readonly window: Window | undefined;
  readonly end: { readonly expiresAt: Date | undefined } | undefined;
  readonly problems: readonly FieldProblem[];
}

/** A problem with a consent form, and the part of the page where it is shown. */
export interface FieldProblem {
  readonly at: 'streams' | 'window' | 'expires';
  readonly text: string;
}

/** A form that cannot be approved. The page shows each problem at its field. */
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
 * Reads the owner's selection. It looks up each offered stream in the form, so a form cannot select what was not shown.
 * Missing values are problems, not defaults.
 */
export function readChoice(
  form: ConsentForm,
  { offer, requestedStreams, catalog }: Pending,
  now: Date,
): Choice {
  const clock = { now, timeZone: catalog.timeZone };
  const [window, end] = [readWindow(form, clock, offer.held), readEnd(form, clock, offer.held)];
  const offered = offer.connections.flatMap((connection) => connection.streams);
  const possible = new Map(
    isProblem(window)
      ? []
      : offered.flatMap((stream) =>
          resolveTerms(form, stream, requestedStreams[stream.index] as RequestedStream, catalog, window).map(
            (terms) => [stream.index, terms] as const,
          ),
        ),
  );
  const chosen = new Map([...possible].filter(([index]) => form.streams.has(index)));
  // Without a period the terms are unknown; a form without ticks is a problem anyway.
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

/** Returns the terms that a form approves. Throws if it has problems. */
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

/** The current time in the owner's time zone. */
interface OwnerClock {
  readonly now: Date;
  readonly timeZone: string;
}

/** Returns the selected period, or a problem. */
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
    // Dates contradict any other choice.
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
    // The last day is included: the window ends when the owner's next day begins.
    ...(last === undefined ? {} : { until: toUtc(last + DAY_MS, timeZone) }),
  };
}

/** Returns the selected expiry, or a problem. */
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

/** Returns the terms of a stream with the ticked fields. The window never exceeds the one that the app requested. */
function resolveTerms(
  form: ConsentForm,
  offered: OfferedStream,
  request: RequestedStream,
  catalog: Catalog,
  window: Window,
): readonly GrantedStreamTerms[] {
  const names = offered.fields.filter((field) => field.always || form.fields.has(field.value));
  const allowance = {
    connection_id: request.stream.connection.connection_id,
    stream: request.stream.name,
    fields: names.map((field) => field.name),
    ...(request.keys === undefined ? {} : { keys: [...request.keys] }),
  };
  if (form.window === KEEP && request.held !== undefined) {
    const { time_field, ...window } = request.held;
    return resolveGrant(catalog, [allowance]).streams.map((terms) => ({
      ...terms,
      ...(time_field === undefined ? {} : { time_field }),
      ...intersect([window]),
    }));
  }
  if (!offered.timed && (window.since !== undefined || window.until !== undefined)) return [];
  const limits = intersect([window, request]);
  if (limits.since !== undefined && limits.until !== undefined && limits.since >= limits.until) return [];
  return resolveGrant(catalog, [allowance], limits).streams;
}

type Bounds = { readonly since?: number | undefined; readonly until?: number | undefined };

/** Returns the period that all windows share. */
export function intersect(windows: readonly Bounds[]): Window {
  const since = windows.flatMap((one) => one.since ?? []);
  const until = windows.flatMap((one) => one.until ?? []);
  return {
    ...(since.length === 0 ? {} : { since: Math.max(...since) }),
    ...(until.length === 0 ? {} : { until: Math.min(...until) }),
  };
}
