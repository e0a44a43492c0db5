import { FREE_TEXT } from '../../grants/sensitive.ts';
import type { OfferedStream } from './consent-offer.ts';

/** What one press on the page chooses: what to read, or from which time. `summary` names the choice in a sentence. */
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

export interface Ticks {
  readonly streams: ReadonlySet<number>;
  readonly fields: ReadonlySet<string>;
}

/** Who writes to whom belongs to what they write. */
const TEXT_REASONS: readonly string[] = [FREE_TEXT, 'contact'];

/** The ticks that a preset stands for among the streams that were shown; nothing for one that leaves ticks alone. */
export function tickPreset(preset: string | null, shown: readonly OfferedStream[]): Ticks | undefined {
  if (!isStreamPreset(preset)) return undefined;
  const mayTake = ({ sensitive }: { sensitive?: string }) =>
    preset === 'everything' ||
    sensitive === undefined ||
    (preset === 'texts' && TEXT_REASONS.includes(sensitive));
  return {
    streams: new Set(preset === 'none' ? [] : shown.filter(mayTake).map(({ index }) => index)),
    // With nothing ticked, a stream that is ticked next comes with its ordinary fields.
    fields: new Set(shown.flatMap(({ fields }) => fields.filter(mayTake).map(({ value }) => value))),
  };
}

function isStreamPreset(preset: string | null): preset is StreamPreset {
  return streamPresets.some(({ value }) => value === preset);
}

export function isTimePreset(preset: string | null): preset is (typeof timePresets)[number]['value'] {
  return timePresets.some(({ value }) => value === preset);
}
