import { formatOffset, parseInstant, toLocal } from './instant.ts';

const MINUTE = 60_000;

/** An instant by the clock of a zone, with its offset: `2026-07-12T21:38:00+02:00`. */
export function showInstant(instant: number, timeZone: string, fraction = fractionOf(instant)): string {
  const whole = Math.floor(instant / 1_000) * 1_000;
  const offset = toLocal(whole, timeZone) - whole;
  // Before there were zones, clocks were ahead by seconds too, which no offset can say.
  const shown = offset % MINUTE === 0 ? offset : 0;
  const local = new Date(whole + shown).toISOString();
  return `${local.slice(0, -5)}${fraction}${formatOffset(shown)}`;
}

/** A time as a source wrote it, by the clock of a zone and to the last digit that counts; what is no time is left as it is. */
export function showTime(text: string, writtenIn: string, timeZone: string): string {
  const instant = parseInstant(text, writtenIn);
  if (instant === undefined) return text;
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? '';
  return showInstant(instant, timeZone, /[1-9]/.test(fraction) ? `.${fraction}` : '');
}

function fractionOf(instant: number): string {
  const milliseconds = ((instant % 1_000) + 1_000) % 1_000;
  return milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`;
}
