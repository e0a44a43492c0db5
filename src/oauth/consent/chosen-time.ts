import { expiryChoices, parseExpiryChoice } from '../../grants/expiry-choice.ts';
import type { Window } from '../../grants/resolve-grant.ts';
import { parseDate, toUtc } from '../../time/instant.ts';
import { parseTime } from '../../time/stretch.ts';
import { type ConsentForm, KEEP } from './consent-form.ts';
import type { HeldAccess } from './consent-offer.ts';
import type { FieldProblem } from './field-problem.ts';

/** The moment a form is read at, by the owner's clock. */
export interface OwnerClock {
  readonly now: Date;
  readonly timeZone: string;
}

/** From when to when an app may read, or what is wrong with what was chosen. */
export function readWindow(
  form: ConsentForm,
  { now, timeZone }: OwnerClock,
  held: HeldAccess | undefined,
): Window | FieldProblem {
  const { window: choice, since, until } = form;
  const [first, last] = [parseDate(since), parseDate(until)];
  if ((since !== '' && first === undefined) || (until !== '' && last === undefined))
    return refuse('A day is written like 2026-01-31.');
  if (choice === '') return refuse('Choose from which time it may read.');
  if (choice !== 'custom') {
    // Somebody who gives days does not mean all time.
    if (first !== undefined || last !== undefined)
      return refuse(
        'Days were given, but “Between two days” was not chosen. Choose it, or take the days away.',
      );
    if (choice === KEEP && held !== undefined) return windowOf(held);
    return choice === 'all' ? {} : { since: parseTime(choice, now.getTime(), timeZone) as number };
  }
  if (first === undefined && last === undefined) return refuse('Give the first day, the last, or both.');
  if ((first ?? -Infinity) > (last ?? Infinity)) return refuse('The first day must not come after the last.');
  return {
    ...(first === undefined ? {} : { since: toUtc(first, timeZone) }),
    // When the day after begins for the owner: the chosen last day is inside.
    ...(last === undefined ? {} : { until: toUtc(last + 86_400_000, timeZone) }),
  };
}

/** When access ends, or what is wrong with what was chosen. */
export function readEnd(
  { expires }: ConsentForm,
  { now, timeZone }: OwnerClock,
  held: HeldAccess | undefined,
): { readonly expiresAt: Date | undefined } | FieldProblem {
  if (expires === KEEP && held !== undefined)
    return { expiresAt: held.expires_at === null ? undefined : new Date(held.expires_at) };
  if (!expiryChoices.some(({ value }) => value === expires))
    return { at: 'expires', text: 'Choose for how long it may read.' };
  return { expiresAt: parseExpiryChoice(expires, now, timeZone) };
}

export function isLimited(window: Window): boolean {
  return window.since !== undefined || window.until !== undefined;
}

/** The bounds alone. */
export function windowOf({
  since,
  until,
}: {
  since?: number | undefined;
  until?: number | undefined;
}): Window {
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
}

function refuse(text: string): FieldProblem {
  return { at: 'window', text };
}
