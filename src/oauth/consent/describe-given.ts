import { FREE_TEXT } from '../../grants/sensitive.ts';
import { formatDay } from '../../time/calendar.ts';
import { toLocal } from '../../time/instant.ts';
import type { Choice } from './consent-choice.ts';
import { type ConsentForm, KEEP } from './consent-form.ts';
import type { Offer, OfferedConnection, OfferedStream } from './consent-offer.ts';
import { streamPresets, tickPreset } from './consent-presets.ts';
import { createGivenTest, listNames } from './describe-limits.ts';

const MAX_CONNECTIONS = 5;

/**
 * What would be given, in one line: "Personal mail without free text, Calendar; last year; ends 16 Nov 2027". Made from
 * the same reading that an approval is made from.
 */
export function describeGiven(offer: Offer, form: ConsentForm, choice: Choice, timeZone: string): string {
  return [
    describeWhat(offer, form, choice),
    describeWindow(offer, form, choice, timeZone),
    choice.end === undefined
      ? 'no expiry chosen'
      : choice.end.expiresAt === undefined
        ? 'until revoked'
        : `ends ${formatDay(toLocal(choice.end.expiresAt.getTime(), timeZone))}`,
  ].join('; ');
}

function describeWhat({ connections, requested }: Offer, form: ConsentForm, choice: Choice): string {
  const isGiven = createGivenTest(form, choice);
  const given = connections.flatMap((connection) => {
    const streams = connection.streams.filter(isGiven);
    return streams.length === 0 ? [] : [{ connection, streams }];
  });
  const left = connections.flatMap(({ streams }) =>
    streams.filter((stream) => form.streams.has(stream.index) && !isGiven(stream)),
  );
  const without =
    left.length === 0 ? '' : `, not ${listNames(left.map(({ label }) => label))} (no such time)`;
  if (given.length === 0) return `Nothing yet${without}`;
  const all = connections.flatMap(({ streams }) => streams);
  const streams = given.flatMap((one) => one.streams);
  const whole = nameWhole(all, streams, form);
  if (given.length > MAX_CONNECTIONS && whole !== undefined)
    return `${whole}: ${given.length} connections, ${streams.length} streams${without}`;
  const names = given
    .slice(0, MAX_CONNECTIONS)
    .map(
      (one) => `${nameConnection(one.connection, one.streams, requested)}${nameFields(one.streams, form)}`,
    );
  const more = given.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}${without}`;
}

/** The name of a choice that the page offers in one press, if these ticks are exactly that. */
function nameWhole(
  all: readonly OfferedStream[],
  streams: readonly OfferedStream[],
  form: ConsentForm,
): string | undefined {
  const fields = streams.flatMap((stream) => stream.fields.filter((field) => !field.always));
  // The widest first: where nothing is sensitive, all of them are the same.
  return streamPresets.toReversed().find(({ value }) => {
    const ticks = tickPreset(value, all);
    return (
      ticks?.streams.size === streams.length &&
      streams.every(({ index }) => ticks.streams.has(index)) &&
      fields.every((field) => form.fields.has(field.value) === ticks.fields.has(field.value))
    );
  })?.summary;
}

function nameConnection(
  { name, streams: all }: OfferedConnection,
  streams: readonly OfferedStream[],
  /** Then what is offered need not be all that the connection has. */
  isPart: boolean,
): string {
  return streams.length === all.length && !isPart
    ? name
    : `${name} (${listNames(streams.map(({ label }) => label))})`;
}

/** What is left out of these streams, as far as it can be told in a few words. */
function nameFields(streams: readonly OfferedStream[], form: ConsentForm): string {
  const off = streams.flatMap(({ fields }) =>
    fields.filter((field) => !field.always && !form.fields.has(field.value)),
  );
  const names = new Set(off.map(({ inside, sensitive }) => (sensitive === FREE_TEXT ? FREE_TEXT : inside)));
  return names.size === 0 ? '' : ` without ${listNames([...names])}`;
}

function describeWindow(offer: Offer, form: ConsentForm, choice: Choice, timeZone: string): string {
  const { window, since, until } = form;
  if (choice.window === undefined) return 'no period chosen';
  if (window === KEEP) return offer.held?.time ?? 'no period chosen';
  if (window === 'all') return describeAsked(offer, form, timeZone);
  if (window === 'last_365_days') return 'last year';
  if (window === 'last_30_days') return 'last 30 days';
  const [first, last] = [since, until].map((day) => (day === '' ? '' : formatDay(Date.parse(day))));
  return [first && `from ${first}`, last && `to ${last}`].filter(Boolean).join(' ');
}

/** All of it, as far as the app has not asked for less. */
function describeAsked({ connections }: Offer, form: ConsentForm, timeZone: string): string {
  const day = (at: string) => formatDay(toLocal(Date.parse(at), timeZone));
  const given = connections.flatMap(({ streams }) => streams.filter(({ index }) => form.streams.has(index)));
  const times = new Set(
    given.map(({ asked_since, asked_until }) =>
      [asked_since && `from ${day(asked_since)}`, asked_until && `before ${day(asked_until)}`]
        .filter(Boolean)
        .join(' '),
    ),
  );
  if (times.size > 1) return 'the period it requested';
  return [...times][0] || 'all time';
}
