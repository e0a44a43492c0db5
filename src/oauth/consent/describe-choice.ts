import { FREE_TEXT } from '../../grants/sensitive.ts';
import { formatDay } from '../../time/calendar.ts';
import { toLocal } from '../../time/instant.ts';
import type { Choice } from './consent-choice.ts';
import { type ConsentForm, KEEP, streamPresets, tickPreset } from './consent-form.ts';
import type { Offer, OfferedConnection, OfferedStream } from './consent-offer.ts';

const MAX_CONNECTIONS = 5;
const MAX_NAMES = 3;
const MAX_PARTS = 6;

/** Returns a test of which streams a choice discloses. While the period is invalid, only the ticks decide. */
function createDisclosedTest(form: ConsentForm, { window, chosen }: Choice) {
  return ({ index }: OfferedStream) => (window === undefined ? form.streams.has(index) : chosen.has(index));
}

/**
 * Describes in one line what a choice discloses: "Personal mail without free text, Calendar; last year; ends 16 Nov
 * 2027".
 */
export function describeDisclosure(
  offer: Offer,
  form: ConsentForm,
  choice: Choice,
  timeZone: string,
): string {
  return [
    describeStreams(offer, form, choice),
    describePeriod(offer, form, choice, timeZone),
    describeExpiry(choice, timeZone),
  ].join('; ');
}

function describeExpiry({ end }: Choice, timeZone: string): string {
  if (end === undefined) return 'no expiry chosen';
  return end.expiresAt === undefined
    ? 'until revoked'
    : `ends ${formatInstantDay(end.expiresAt.getTime(), timeZone)}`;
}

function describeStreams({ connections, requested }: Offer, form: ConsentForm, choice: Choice): string {
  const isDisclosed = createDisclosedTest(form, choice);
  const disclosed = connections.flatMap((connection) => {
    const streams = connection.streams.filter(isDisclosed);
    return streams.length === 0 ? [] : [{ connection, streams }];
  });
  const undated = connections.flatMap(({ streams }) =>
    streams.filter((stream) => form.streams.has(stream.index) && !isDisclosed(stream)),
  );
  const without =
    undated.length === 0 ? '' : `, not ${listNames(undated.map(({ label }) => label))} (no dates)`;
  if (disclosed.length === 0) return `Nothing yet${without}`;
  const all = connections.flatMap(({ streams }) => streams);
  const streams = disclosed.flatMap((one) => one.streams);
  const preset = findPresetSummary(all, streams, form);
  if (disclosed.length > MAX_CONNECTIONS && preset !== undefined)
    return `${preset}: ${disclosed.length} connections, ${streams.length} streams${without}`;
  const names = disclosed
    .slice(0, MAX_CONNECTIONS)
    .map(
      (one) => `${nameConnection(one.connection, one.streams, requested)}${nameFields(one.streams, form)}`,
    );
  const more = disclosed.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}${without}`;
}

/** Returns the summary of the preset that ticks exactly these streams and fields. */
function findPresetSummary(
  all: readonly OfferedStream[],
  streams: readonly OfferedStream[],
  form: ConsentForm,
): string | undefined {
  const fields = streams.flatMap((stream) => stream.fields.filter((field) => !field.always));
  // The widest first: where nothing is sensitive, several presets are the same.
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
  /** The app requested streams by name, so the connection may have more than it offers. */
  isPart: boolean,
): string {
  return streams.length === all.length && !isPart
    ? name
    : `${name} (${listNames(streams.map(({ label }) => label))})`;
}

/** Names the fields of these streams that are left out. */
function nameFields(streams: readonly OfferedStream[], form: ConsentForm): string {
  const off = streams.flatMap(({ fields }) =>
    fields.filter((field) => !field.always && !form.fields.has(field.value)),
  );
  const names = new Set(off.map(({ inside, sensitive }) => (sensitive === FREE_TEXT ? FREE_TEXT : inside)));
  return names.size === 0 ? '' : ` without ${listNames([...names])}`;
}

function describePeriod(offer: Offer, form: ConsentForm, choice: Choice, timeZone: string): string {
  const { window, since, until } = form;
  if (choice.window === undefined) return 'no period chosen';
  if (window === KEEP) return offer.held?.time ?? 'no period chosen';
  if (window === 'all') return describeRequestedPeriod(offer, form, timeZone);
  if (window === 'last_365_days') return 'last year';
  if (window === 'last_30_days') return 'last 30 days';
  const [first, last] = [since, until].map((day) => (day === '' ? '' : formatDay(Date.parse(day))));
  return [first && `from ${first}`, last && `to ${last}`].filter(Boolean).join(' ');
}

/** Describes all time, or the period that the app requested itself. */
function describeRequestedPeriod({ connections }: Offer, form: ConsentForm, timeZone: string): string {
  const day = (at: string) => formatInstantDay(Date.parse(at), timeZone);
  const ticked = connections.flatMap(({ streams }) => streams.filter(({ index }) => form.streams.has(index)));
  const periods = new Set(
    ticked.map(({ asked_since, asked_until }) =>
      [asked_since && `from ${day(asked_since)}`, asked_until && `before ${day(asked_until)}`]
        .filter(Boolean)
        .join(' '),
    ),
  );
  if (periods.size > 1) return 'the period it requested';
  return [...periods][0] || 'all time';
}

const READ_TEXTS = 'read what people wrote';
/** What an app can do with a sensitive stream, by the reason why it is sensitive. */
const streamAbilities: Readonly<Record<string, string>> = {
  money: 'see amounts',
  health: 'see health data',
  place: 'see places',
  'private life': 'read diaries',
  [FREE_TEXT]: READ_TEXTS,
};
/** What an app can do with a sensitive field of a stream that it can read. */
const fieldAbilities: Readonly<Record<string, string>> = {
  money: 'see account numbers and balances',
  health: 'see health details',
  place: 'see exact places',
  contact: 'see addresses and phone numbers',
  identity: 'see birthdays and other personal details',
  [FREE_TEXT]: READ_TEXTS,
};
const OTHER = 'see other sensitive data';
/** In display order: texts matter most to people. */
const abilities = [READ_TEXTS, ...Object.values(streamAbilities), ...Object.values(fieldAbilities), OTHER];

/**
 * Describes in one sentence what the app cannot do with this choice: "Cannot read what people wrote or see amounts."
 * Streams without records are ignored.
 */
export function describeLimits(offer: Offer, form: ConsentForm, choice: Choice, timeZone: string): string {
  const isDisclosed = createDisclosedTest(form, choice);
  const connections = offer.connections
    .map((connection) => ({
      ...connection,
      streams: connection.streams.filter(({ records }) => records > 0),
    }))
    .filter(({ streams }) => streams.length > 0);
  if (!offer.connections.some(({ streams }) => streams.some(isDisclosed)))
    return 'Cannot read anything: nothing is selected.';
  const hidden = connections.filter(
    ({ streams }) =>
      !streams.some(isDisclosed) &&
      streams.some(({ sensitive }) => streamAbilities[sensitive ?? ''] === undefined),
  );
  const parts = [
    ...listMissing(connections, form, isDisclosed, hidden),
    ...(hidden.length === 0 ? [] : [`see anything from ${listNames(hidden.map(({ name }) => name))}`]),
    ...(form.window === KEEP && offer.held?.times_differ
      ? ['see anything outside its current period']
      : describeHiddenTime(choice, timeZone)),
  ];
  return parts.length === 0 ? 'Nothing is left out.' : `Cannot ${join(parts.slice(0, MAX_PARTS), 'or')}.`;
}

/** Lists missing abilities. If some connections have an ability, it names those that do not. */
function listMissing(
  connections: readonly OfferedConnection[],
  form: ConsentForm,
  isDisclosed: (stream: OfferedStream) => boolean,
  /** Connections that are named elsewhere in the sentence. */
  hidden: readonly OfferedConnection[],
): string[] {
  const missing = new Map<string, Set<string>>();
  const present = new Set<string>();
  for (const { name, streams } of connections) {
    for (const { ability, has } of streams.flatMap((one) => listAbilities(one, form, isDisclosed(one)))) {
      if (has) present.add(ability);
      else missing.set(ability, (missing.get(ability) ?? new Set()).add(name));
    }
  }
  const named = new Set(hidden.map(({ name }) => name));
  const inOrder = [...missing].sort(([a], [b]) => abilities.indexOf(a) - abilities.indexOf(b));
  return inOrder.flatMap(([ability, names]) => {
    if (!present.has(ability)) return [ability];
    const rest = [...names].filter((name) => !named.has(name));
    return rest.length === 0 ? [] : [`${ability} in ${listNames(rest)}`];
  });
}

function listAbilities(
  { sensitive, fields }: OfferedStream,
  form: ConsentForm,
  isDisclosed: boolean,
): { ability: string; has: boolean }[] {
  const own =
    sensitive === undefined ? [] : [{ ability: streamAbilities[sensitive] ?? OTHER, has: isDisclosed }];
  if (sensitive !== undefined && !isDisclosed) return own;
  // Of a stream that is not selected, only the texts are mentioned: they matter most to people.
  const optional = fields.filter(
    (field) =>
      field.sensitive !== undefined && !field.always && (isDisclosed || field.sensitive === FREE_TEXT),
  );
  return [
    ...own,
    ...optional.map((field) => ({
      ability: fieldAbilities[field.sensitive ?? ''] ?? OTHER,
      has: isDisclosed && form.fields.has(field.value),
    })),
  ];
}

function describeHiddenTime({ window }: Choice, timeZone: string): string[] {
  return [
    ...(window?.since === undefined
      ? []
      : [`see anything before ${formatInstantDay(window.since, timeZone)}`]),
    // The window ends where the day after the last one begins.
    ...(window?.until === undefined
      ? []
      : [`see anything after ${formatInstantDay(window.until - 1, timeZone)}`]),
  ];
}

/** Formats the day of an instant in a time zone. */
export function formatInstantDay(at: number, timeZone: string): string {
  return formatDay(toLocal(at, timeZone));
}

/** "a, b, c and 4 more": the first names and how many are left. */
function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return join(more > 1 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names, 'and');
}

function join(parts: readonly string[], word: 'and' | 'or'): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}
