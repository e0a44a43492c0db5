import { FREE_TEXT } from '../../grants/sensitive.ts';
import { formatDay } from '../../time/calendar.ts';
import { toLocal } from '../../time/instant.ts';
import type { Choice } from './consent-choice.ts';
import { type ConsentForm, KEEP } from './consent-form.ts';
import type { Offer, OfferedConnection, OfferedStream } from './consent-offer.ts';

const READ_TEXTS = 'read what people wrote';
/** What an app can do with a sensitive stream, by the reason why it is sensitive. */
const withStream: Readonly<Record<string, string>> = {
  money: 'see amounts',
  health: 'see health data',
  place: 'see places',
  'private life': 'read diaries',
  [FREE_TEXT]: READ_TEXTS,
};
/** The same for a sensitive field of a stream that is given. */
const withField: Readonly<Record<string, string>> = {
  money: 'see account numbers and balances',
  health: 'see health details',
  place: 'see exact places',
  contact: 'see addresses and phone numbers',
  identity: 'see birthdays and other personal details',
  [FREE_TEXT]: READ_TEXTS,
};
const OTHER = 'see other sensitive data';
/** What people miss first comes first. */
const abilities = [READ_TEXTS, ...Object.values(withStream), ...Object.values(withField), OTHER];
const MAX_NAMES = 3;
const MAX_PARTS = 6;

/**
 * Returns in one sentence what the app cannot do with this choice: "Cannot read what people wrote or see amounts." Streams
 * without records are ignored, because nothing is missing from them.
 */
export function describeLimits(offer: Offer, form: ConsentForm, choice: Choice, timeZone: string): string {
  const isGiven = createGivenTest(form, choice);
  const connections = offer.connections
    .map((connection) => ({
      ...connection,
      streams: connection.streams.filter(({ records }) => records > 0),
    }))
    .filter(({ streams }) => streams.length > 0);
  if (!offer.connections.some(({ streams }) => streams.some(isGiven)))
    return 'Cannot read anything: nothing is selected.';
  const whole = connections.filter(
    ({ streams }) =>
      !streams.some(isGiven) && streams.some(({ sensitive }) => withStream[sensitive ?? ''] === undefined),
  );
  const parts = [
    ...listLost(connections, form, isGiven, whole),
    ...(whole.length === 0 ? [] : [`see anything of ${listNames(whole.map(({ name }) => name))}`]),
    ...(form.window === KEEP && offer.held?.times_differ
      ? ['see anything outside its current period']
      : describeTime(choice, timeZone)),
  ];
  return parts.length === 0 ? 'Nothing is left out.' : `Cannot ${join(parts.slice(0, MAX_PARTS), 'or')}.`;
}

/** Abilities that are lost, each once; where a connection still has one, with the names of those that do not. */
function listLost(
  connections: readonly OfferedConnection[],
  form: ConsentForm,
  isGiven: (stream: OfferedStream) => boolean,
  /** Nothing more need be said about these. */
  whole: readonly OfferedConnection[],
): string[] {
  const lost = new Map<string, Set<string>>();
  const kept = new Set<string>();
  for (const connection of connections) {
    for (const { ability, has } of connection.streams.flatMap((stream) =>
      listAbilities(stream, form, isGiven),
    )) {
      if (has) kept.add(ability);
      else lost.set(ability, (lost.get(ability) ?? new Set()).add(connection.name));
    }
  }
  const named = new Set(whole.map(({ name }) => name));
  const inOrder = [...lost].sort(([a], [b]) => abilities.indexOf(a) - abilities.indexOf(b));
  return inOrder.flatMap(([ability, names]) => {
    if (!kept.has(ability)) return [ability];
    const rest = [...names].filter((name) => !named.has(name));
    return rest.length === 0 ? [] : [`${ability} in ${listNames(rest)}`];
  });
}

function listAbilities(
  stream: OfferedStream,
  form: ConsentForm,
  isGiven: (stream: OfferedStream) => boolean,
): { ability: string; has: boolean }[] {
  const given = isGiven(stream);
  const { sensitive } = stream;
  const own = sensitive === undefined ? [] : [{ ability: withStream[sensitive] ?? OTHER, has: given }];
  // Without the stream, the loss of the stream is told; but texts are what people miss first.
  const fields = stream.fields.filter(
    (field) => field.sensitive !== undefined && !field.always && (given || field.sensitive === FREE_TEXT),
  );
  return [
    ...own,
    ...(sensitive !== undefined && !given
      ? []
      : fields.map((field) => ({
          ability: withField[field.sensitive ?? ''] ?? OTHER,
          has: given && form.fields.has(field.value),
        }))),
  ];
}

function describeTime({ window }: Choice, timeZone: string): string[] {
  const day = (at: number) => formatDay(toLocal(at, timeZone));
  return [
    ...(window?.since === undefined ? [] : [`see anything before ${day(window.since)}`]),
    // The window ends where the day after the last one begins.
    ...(window?.until === undefined ? [] : [`see anything after ${day(window.until - 1)}`]),
  ];
}

/** Tells which streams a choice gives. While the time cannot be read, the ticks are all that is known. */
export function createGivenTest(form: ConsentForm, { window, chosen }: Choice) {
  return ({ index }: OfferedStream) => (window === undefined ? form.streams.has(index) : chosen.has(index));
}

/** "a, b, c and 4 more": the first names and how many are left. */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return join(more > 1 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names, 'and');
}

function join(parts: readonly string[], word: 'and' | 'or'): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}
