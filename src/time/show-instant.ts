import { formatOffset, parseInstant, toLocal } from './instant.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const MOST_DAYS = 5_000;

/** Per zone and day of UTC, how far the clock is ahead; undefined for a day on which it is changed. */
const offsets = new Map<string, Map<number, number | undefined>>();

/** An instant by the clock of a zone, with its offset: `2026-07-12T21:38:00+02:00`. */
export function showInstant(instant: number, timeZone: string, fraction = fractionOf(instant)): string {
  const offset = findOffset(instant, timeZone);
  // Before there were zones, clocks were ahead by seconds too, which no offset can say.
  const shown = offset % MINUTE === 0 ? offset : 0;
  const local = new Date(Math.floor((instant + shown) / 1_000) * 1_000).toISOString();
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

/** Asking the platform costs more than all the rest of a row, and lists hold many times of few days. */
function findOffset(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  let days = offsets.get(timeZone);
  if (days === undefined) {
    days = new Map();
    offsets.set(timeZone, days);
  }
  const day = Math.floor(instant / DAY);
  if (!days.has(day)) {
    if (days.size >= MOST_DAYS) days.clear();
    const [start, end] = [ahead(day * DAY, timeZone), ahead((day + 1) * DAY, timeZone)];
    days.set(day, start === end ? start : undefined);
  }
  return days.get(day) ?? ahead(instant, timeZone);
}

function ahead(instant: number, timeZone: string): number {
  const whole = Math.floor(instant / 1_000) * 1_000;
  return toLocal(whole, timeZone) - whole;
}
