import { expiryChoices } from '../../grants/expiry-choice.ts';
import type { Offer, OfferedConnection, OfferedStream } from './consent-offer.ts';
import { isTimePreset, tickPreset } from './consent-presets.ts';

/** How far back an app may look, as the page offers it. */
export const windowChoices = [
  { value: 'all', label: 'All time' },
  { value: 'last_365_days', label: 'The last year and from now on' },
  { value: 'last_30_days', label: 'The last 30 days and from now on' },
  { value: 'custom', label: 'Between two days' },
] as const;

/** Leaves the time or the end of a present access as it is. */
export const KEEP = 'keep';

/** The times that a page offers: those above, and the present one where there is one. */
export function listWindows({ held }: Offer): readonly { value: string; label: string }[] {
  return held === undefined
    ? windowChoices
    : [{ value: KEEP, label: `As now: ${held.time}` }, ...windowChoices];
}

export function listEnds({ held }: Offer): readonly { value: string; label: string }[] {
  return held === undefined
    ? expiryChoices
    : [{ value: KEEP, label: `As now: ${held.end}` }, ...expiryChoices];
}

/** What is ticked and chosen on a consent page. What could not be read is empty, and an empty choice approves nothing. */
export interface ConsentForm {
  /** By their place in the offer. */
  readonly streams: ReadonlySet<number>;
  /** By their value in the offer. */
  readonly fields: ReadonlySet<string>;
  readonly window: string;
  readonly since: string;
  readonly until: string;
  readonly expires: string;
}

/**
 * The one way to the ticks of a page, and from a form to what it approves. Suggestions are for a page that
 * nobody has sent yet: once there is a form, nothing is in the result that the form did not say.
 */
export function fillForm(offer: Offer, sent: URLSearchParams | undefined): ConsentForm {
  return sent === undefined ? suggest(offer) : readSent(offer, sent);
}

/** The form with everything of a connection ticked: the owner came to the page to add it. */
export function addConnection(form: ConsentForm, { streams }: OfferedConnection): ConsentForm {
  return {
    ...form,
    streams: new Set([...form.streams, ...streams.map(({ index }) => index)]),
    fields: new Set([...form.fields, ...streams.flatMap(({ fields }) => fields.map(({ value }) => value))]),
  };
}

function suggest(offer: Offer): ConsentForm {
  const streams = streamsOf(offer);
  return {
    streams: new Set(streams.filter((stream) => stream.suggested).map((stream) => stream.index)),
    fields: new Set(
      streams.flatMap(({ fields }) => fields.filter((field) => field.suggested).map(({ value }) => value)),
    ),
    window: offer.held === undefined ? 'all' : KEEP,
    since: '',
    until: '',
    expires: offer.held === undefined ? '1y' : KEEP,
  };
}

/**
 * A form says which streams its page showed, in order, and names them by their place in that list. So it can
 * be read beside an offer that has changed since: what is still there stays ticked, what is new does not. A
 * preset that was pressed is part of the form.
 */
function readSent(offer: Offer, sent: URLSearchParams): ConsentForm {
  const today = new Map(streamsOf(offer).map((stream) => [stream.id, stream]));
  const byPlace = new Map(sent.getAll('offered').map((id, place) => [String(place), today.get(id)]));
  const streams = sent.getAll('stream').flatMap((place) => byPlace.get(place)?.index ?? []);
  const fields = sent.getAll('field').flatMap((value) => {
    const [, place = '', name] = /^(\d+)\.(.+)$/s.exec(value) ?? [];
    return byPlace.get(place)?.fields.find((field) => field.name === name)?.value ?? [];
  });
  const get = (name: string) => sent.get(name) ?? '';
  // A preset is about what its page showed, and which fields that were is known only while nothing has changed.
  const preset = sent.get('digest') === offer.digest ? sent.get('preset') : null;
  const pressed = tickPreset(
    preset,
    [...byPlace.values()].filter((stream) => stream !== undefined),
  );
  const ticks = pressed ?? { streams: new Set(streams), fields: new Set(fields) };
  if (isTimePreset(preset))
    return { ...ticks, window: preset, since: '', until: '', expires: get('expires') };
  const [since, until] = [get('since'), get('until')];
  const known = listWindows(offer).some(({ value }) => value === get('window'));
  return {
    ...ticks,
    // A browser shows a day that is none as no day, which would be a wider window than the one meant.
    window: known && [since, until].every(isDayOrNone) ? get('window') : '',
    since,
    until,
    expires: get('expires'),
  };
}

function streamsOf(offer: Offer): OfferedStream[] {
  return offer.connections.flatMap((connection) => connection.streams);
}

function isDayOrNone(text: string): boolean {
  return text === '' || /^\d{4}-\d\d-\d\d$/.test(text);
}
