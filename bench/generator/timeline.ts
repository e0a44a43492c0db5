const day = 86_400_000;

const longest = 10;

export interface Timeline {
  years: number;
  start: number;
  /** Nothing in the demo is later. */
  end: number;
  /** The moment for a share of the whole time between 0 and 1: later shares are never earlier moments. */
  at(share: number): number;
}

/** Weights of the 24 hours of a day. */
export const dayHours = [1, 0, 0, 0, 0, 0, 1, 4, 6, 6, 6, 6, 7, 6, 6, 6, 6, 7, 8, 8, 8, 6, 4, 2];
export const workHours = [0, 0, 0, 0, 0, 0, 0, 1, 5, 9, 9, 8, 4, 8, 9, 9, 8, 5, 2, 0, 0, 0, 0, 0];
export const eveningHours = [2, 0, 0, 0, 0, 0, 1, 3, 4, 3, 2, 2, 3, 2, 2, 3, 4, 7, 9, 9, 9, 8, 6, 4];

/** How far back so many records reach when a year holds `perYear` of them: one year at least, ten at most. */
export function countYears(records: number, perYear: number): number {
  return Math.min(longest, Math.max(1, Math.ceil(records / perYear)));
}

/** So many years up to `until`, with moments at these hours of the day. */
export function createTimeline(
  until: Date,
  years: number,
  hours: readonly number[],
  workdaysOnly = false,
): Timeline {
  const end = until.getTime();
  const start = Date.UTC(until.getUTCFullYear() - years, until.getUTCMonth(), until.getUTCDate() + 1);
  const dayStarts: number[] = [];
  for (let moment = start; moment < end; moment += day) {
    const weekday = new Date(moment).getUTCDay();
    if (!workdaysOnly || (weekday !== 0 && weekday !== 6)) dayStarts.push(moment);
  }
  const offsets = spreadOverDay(hours);
  const slots = offsets.length - 1;
  // Of the last day only what has passed of it is told.
  const lastDay = end - (dayStarts.at(-1) as number);
  const passed = offsets.filter((offset) => offset <= lastDay).length / offsets.length;
  function at(share: number): number {
    const position = Math.min(share, 0.9999999) * (dayStarts.length - 1 + passed);
    const index = Math.floor(position);
    const inDay = (position - index) * slots;
    const low = offsets[Math.floor(inDay)] as number;
    const high = offsets[Math.floor(inDay) + 1] as number;
    return Math.min(end, (dayStarts[index] as number) + Math.floor(low + (high - low) * (inDay % 1)));
  }
  return { years, start, end, at };
}

/** 256 equally likely parts of a day, as offsets from midnight: the inverse of the summed hour weights. */
function spreadOverDay(hours: readonly number[]): Float64Array {
  const total = hours.reduce((sum, weight) => sum + weight, 0);
  const offsets = new Float64Array(257);
  let hour = 0;
  let before = 0;
  for (let part = 0; part <= 256; part++) {
    const wanted = (part / 256) * total;
    while (hour < 23 && before + (hours[hour] as number) < wanted) before += hours[hour++] as number;
    const within = (wanted - before) / Math.max(1, hours[hour] as number);
    offsets[part] = (hour + Math.min(1, within)) * 3_600_000;
  }
  return offsets;
}

export function writeIso(moment: number): string {
  return new Date(moment).toISOString();
}

export function writeDate(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The same moment on a clock in Berlin. Close enough to the real summer time rule for made-up events. */
export function writeLocalIso(moment: number): string {
  const month = new Date(moment).getUTCMonth();
  const hours = month >= 3 && month <= 9 ? 2 : 1;
  return `${new Date(moment + hours * 3_600_000).toISOString().slice(0, 23)}+0${hours}:00`;
}

/** When a record of this moment was read from its source: between one and fourteen minutes later. */
export function writeEmittedAt(moment: number): string {
  return new Date(moment + 60_000 + (moment % 780_000)).toISOString();
}
