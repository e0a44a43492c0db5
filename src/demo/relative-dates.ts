import { DAY_MS } from '../time/durations.ts';
import { formatInstant, showInstant, toLocal, toUtc } from '../time/instant.ts';

/**
 * A date relative to the end of the demo. `w-3.2 18:30` is Tuesday (1 is Monday) three weeks before. `m-1.27` is the 27th
 * of the month before, or the last day of a shorter month.
 */
const MOMENT = String.raw`([wm])([+-]?\d+)\.(\d{1,2})(?: (\d\d):(\d\d)(?::(\d\d))?)?`;
const WHOLE_MOMENT = new RegExp(`^${MOMENT}$`);
/** A relative date in a text, with its format: `[[en w-3.2]]`. */
const PLACEHOLDER = new RegExp(String.raw`\[\[([a-z_]+) (${MOMENT})\]\]`, 'g');

const WEEKS = 52;

interface RelativeDates {
  /** The start of the demo. */
  readonly start: number;
  /** Returns the instant of a relative date. */
  resolve(moment: string): number;
  /** Replaces all placeholders of a text. */
  replace(text: string): string;
}

/** Resolves dates relative to `until` in the time zone. */
export function createRelativeDates(until: Date, timeZone: string): RelativeDates {
  const today = Math.floor(toLocal(until.getTime(), timeZone) / DAY_MS);
  // 1 January 1970 was a Thursday.
  const monday = today - ((today + 3) % 7);
  const [year, month] = [new Date(today * DAY_MS).getUTCFullYear(), new Date(today * DAY_MS).getUTCMonth()];

  function resolveLocal(moment: string): number {
    const [, unit, count, day, hours = '0', minutes = '0', seconds = '0'] = WHOLE_MOMENT.exec(moment) ?? [];
    if (unit === undefined) throw new Error(`not a relative date: ${moment}`);
    const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    if (unit === 'w') return (monday + Number(count) * 7 + Number(day) - 1) * DAY_MS + clock;
    const last = new Date(Date.UTC(year, month + Number(count) + 1, 0)).getUTCDate();
    return Date.UTC(year, month + Number(count), Math.min(Number(day), last)) + clock;
  }

  const resolve = (moment: string) => toUtc(resolveLocal(moment), timeZone);
  return {
    start: toUtc((monday - WEEKS * 7) * DAY_MS, timeZone),
    resolve,
    replace: (text) =>
      text.replace(PLACEHOLDER, (_, form: string, moment: string) => {
        if (form === 'instant') return formatInstant(resolve(moment));
        if (form === 'local') return showInstant(resolve(moment), timeZone);
        return writeInWords(resolveLocal(moment), form);
      }),
  };
}

const DAY_IN_WORDS: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };
const MONTH_IN_WORDS: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric' };
const FORMS: Record<string, Intl.DateTimeFormat> = Object.fromEntries(
  (
    [
      ['en', 'en-GB'],
      ['de', 'de-DE'],
      ['es', 'es-ES'],
    ] as const
  ).flatMap(([key, locale]) => [
    [key, new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...DAY_IN_WORDS })],
    [`month_${key}`, new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...MONTH_IN_WORDS })],
  ]),
);

function writeInWords(local: number, form: string): string {
  if (form === 'date') return new Date(local).toISOString().slice(0, 10);
  const format = FORMS[form];
  if (format === undefined) throw new Error(`unknown date format: ${form}`);
  return format.format(local);
}
