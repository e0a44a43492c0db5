/** A date relative to the end of the demo, as `src/demo/read-demo.ts` reads it. */
export interface Moment {
  readonly week: number;
  /** 1 is Monday. */
  readonly day: number;
  /** Seconds since midnight. */
  readonly seconds: number;
}

const DAY_SECONDS = 86_400;

export function parseMoment(text: string): Moment {
  const [, week, day, hours, minutes] = /^w([+-]?\d+)\.(\d) (\d\d):(\d\d)$/.exec(text) ?? [];
  if (week === undefined) throw new Error(`no moment: ${text}`);
  return at(Number(week), Number(day), `${hours}:${minutes}`);
}

export function at(week: number, day: number, clock: string): Moment {
  const [hours, minutes] = clock.split(':').map(Number) as [number, number];
  return { week, day, seconds: (hours * 60 + minutes) * 60 };
}

export function addSeconds({ week, day, seconds }: Moment, more: number): Moment {
  const total = seconds + Math.round(more);
  const days = Math.floor(total / DAY_SECONDS);
  const ordinal = week * 7 + day - 1 + days;
  const newWeek = Math.floor(ordinal / 7);
  return { week: newWeek, day: ordinal - newWeek * 7 + 1, seconds: total - days * DAY_SECONDS };
}

export const addMinutes = (moment: Moment, minutes: number) => addSeconds(moment, minutes * 60);

/** Orders moments by time. */
export const rank = ({ week, day, seconds }: Moment) => (week * 7 + day) * DAY_SECONDS + seconds;

export function writeMoment({ week, day, seconds }: Moment): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `w${week > 0 ? '+' : ''}${week}.${day} ${clock}`;
}

export const instant = (moment: Moment) => `[[instant ${writeMoment(moment)}]]`;
export const local = (moment: Moment) => `[[local ${writeMoment(moment)}]]`;
export const date = ({ week, day }: Moment) => `[[date w${week > 0 ? '+' : ''}${week}.${day}]]`;
