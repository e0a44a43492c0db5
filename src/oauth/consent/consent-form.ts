import { expiryChoices } from '../../grants/expiry-choice.ts';
import { FREE_TEXT } from '../../grants/sensitive.ts';
import type { Offer, OfferedConnection, OfferedStream } from './consent-offer.ts';

/** Buttons that choose what to read, or a period. `summary` names the choice in a sentence. */
export const streamPresets = [
  { value: 'none', label: 'Nothing', summary: 'Nothing' },
  {
    value: 'ordinary',
    label: 'No private texts, money or health',
    summary: 'Everything except private texts, money, health and other sensitive data',
  },
  {
    value: 'texts',
    label: 'Private texts, but no money or health',
    summary: 'Everything except money, health and other sensitive data',
  },
  { value: 'everything', label: 'Everything, including private texts and money', summary: 'Everything' },
] as const;
export const timePresets = [
  { value: 'last_30_days', label: 'Last 30 days' },
  { value: 'last_365_days', label: 'Last year' },
] as const;

type StreamPreset = (typeof streamPresets)[number]['value'];

interface Ticks {
  readonly streams: ReadonlySet<number>;
  readonly fields: ReadonlySet<string>;
}

/** Names and addresses of correspondents belong to their texts. */
const TEXT_REASONS: readonly string[] = [FREE_TEXT, 'contact'];

/** Returns the ticks of a preset among the streams that were shown, or nothing for a preset that keeps the ticks. */
export function tickPreset(preset: string | null, shown: readonly OfferedStream[]): Ticks | undefined {
  if (!isStreamPreset(preset)) return undefined;
  const mayTake = ({ sensitive }: { sensitive?: string }) =>
    preset === 'everything' ||
    sensitive === undefined ||
    (preset === 'texts' && TEXT_REASONS.includes(sensitive));
  return {
    streams: new Set(preset === 'none' ? [] : shown.filter(mayTake).map(({ index }) => index)),
    // Also for streams that are not ticked: their fields apply when the owner ticks them.
    fields: new Set(shown.flatMap(({ fields }) => fields.filter(mayTake).map(({ value }) => value))),
  };
}

function isStreamPreset(preset: string | null): preset is StreamPreset {
  return streamPresets.some(({ value }) => value === preset);
}

function isTimePreset(preset: string | null): preset is (typeof timePresets)[number]['value'] {
  return timePresets.some(({ value }) => value === preset);
}

/** The periods that the page offers. */
export const windowChoices = [
  { value: 'all', label: 'All time' },
  { value: 'last_365_days', label: 'The last year and from now on' },
  { value: 'last_30_days', label: 'The last 30 days and from now on' },
  { value: 'custom', label: 'Between two days' },
] as const;

/** Keeps the period or the expiry of an existing access. */
export const KEEP = 'keep';

/** Lists the periods of a page: the current one of an existing access, then those above. */
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

/** The selection on a consent page. A value that could not be read is empty, and an empty value approves nothing. */
export interface ConsentForm {
  /** By their index in the offer. */
  readonly streams: ReadonlySet<number>;
  /** By their value in the offer. */
  readonly fields: ReadonlySet<string>;
  readonly window: string;
  readonly since: string;
  readonly until: string;
  readonly expires: string;
}

/**
 * Returns the selection that a page shows and that a form approves. Suggestions apply only before the first form: a
 * form selects nothing that it did not send.
 */
export function fillForm(offer: Offer, sent: URLSearchParams | undefined): ConsentForm {
  return sent === undefined ? suggest(offer) : readSent(offer, sent);
}

/** Returns the form with everything of a connection ticked, for an owner who followed a link to add it. */
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
 * Reads a form that was sent. It lists the streams of its page and refers to them by position, so it can be read
 * against an offer that has changed: streams that still exist stay ticked, new ones are not.
 */
function readSent(offer: Offer, sent: URLSearchParams): ConsentForm {
  const today = new Map(streamsOf(offer).map((stream) => [stream.id, stream]));
  const byPosition = new Map(sent.getAll('offered').map((id, position) => [String(position), today.get(id)]));
  const streams = sent.getAll('stream').flatMap((position) => byPosition.get(position)?.index ?? []);
  const fields = sent.getAll('field').flatMap((value) => {
    const [, position = '', name] = /^(\d+)\.(.+)$/s.exec(value) ?? [];
    return byPosition.get(position)?.fields.find((field) => field.name === name)?.value ?? [];
  });
  const get = (name: string) => sent.get(name) ?? '';
  // A preset applies to the fields that its page showed. They are known only while the offer has not changed.
  const preset = sent.get('digest') === offer.digest ? sent.get('preset') : null;
  const pressed = tickPreset(
    preset,
    [...byPosition.values()].filter((stream) => stream !== undefined),
  );
  const ticks = pressed ?? { streams: new Set(streams), fields: new Set(fields) };
  if (isTimePreset(preset))
    return { ...ticks, window: preset, since: '', until: '', expires: get('expires') };
  const [since, until] = [get('since'), get('until')];
  const known = listWindows(offer).some(({ value }) => value === get('window'));
  return {
    ...ticks,
    // A browser shows an invalid date as no date, which would widen the period.
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
