import type { OfferedStream } from './consent-offer.ts';

/** What one press on the page chooses: of what to read, or of which time. */
export const streamPresets = [
  { value: 'none', label: 'Nothing' },
  { value: 'ordinary', label: 'Everything but sensitive' },
  { value: 'everything', label: 'Everything' },
] as const;
export const timePresets = [
  { value: 'last_30_days', label: 'Last 30 days' },
  { value: 'last_365_days', label: 'Last year' },
] as const;

type Ticks = { readonly streams: ReadonlySet<number>; readonly fields: ReadonlySet<string> };

/** The ticks that a preset stands for among the streams that were shown; nothing for one that leaves ticks alone. */
export function tickPreset(preset: string | null, shown: readonly OfferedStream[]): Ticks | undefined {
  if (!streamPresets.some(({ value }) => value === preset)) return undefined;
  const takesAll = preset === 'everything';
  const mayTake = ({ sensitive }: { sensitive?: string }) => takesAll || sensitive === undefined;
  return {
    streams: new Set(preset === 'none' ? [] : shown.filter(mayTake).map(({ index }) => index)),
    // With nothing ticked, a stream that is ticked next comes with its ordinary fields.
    fields: new Set(shown.flatMap(({ fields }) => fields.filter(mayTake).map(({ value }) => value))),
  };
}

export function isTimePreset(preset: string | null): preset is (typeof timePresets)[number]['value'] {
  return timePresets.some(({ value }) => value === preset);
}
