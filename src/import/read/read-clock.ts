import { MINUTE_MS } from '../../time/durations.ts';

/** A parsed date and time of day, not yet an instant. */
export interface Written {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight; undefined for a date alone. */
  readonly clock?: number;
  /** Minutes ahead of UTC, if the text names them. */
  readonly offset?: number;
}

/** Time zone abbreviations. Each group begins with the minutes ahead of UTC. */
const ZONES = new Map(
  `-600 HST; -540 AKST; -480 PST AKDT; -420 MST PDT; -360 CST MDT; -300 EST CDT COT PET; -240 EDT CLT; -180
   BRT ART; 0 Z UTC GMT WET; 60 BST WEST CET MEZ SEČ WAT; 120 CEST MESZ EET SELČ SAST; 180 EEST MSK TRT
   EAT; 240 GST; 300 PKT; 330 IST; 345 NPT; 420 ICT WIB; 480 AWST HKT SGT PHT; 540 JST KST; 570 ACST; 600
   AEST; 630 ACDT; 660 AEDT; 720 NZST; 780 NZDT`
    .split(';')
    .flatMap((group) => {
      const [minutes, ...names] = group.trim().split(/\s+/);
      return names.map((name) => [name, Number(minutes)] as const);
    }),
);

const CLOCK =
  /(上午|下午|午前|午後|오전|오후)?\s*\b(\d{1,2})[:.hH](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?(?:\s*(?:([ap])\.?\s?m\b\.?|([مص])(?!\p{L})|([πμ])\.?\s?μ(?!\p{L})\.?))?/iu;
/** Nordic times have dots. They are recognised only after a year. */
const DOTTED_CLOCK = /(?<=(?<!\d)\d{4},?(?: \p{L}{2,3}\.?)? )(\d{1,2})\.(\d{2})(?:\.(\d{2}))?(?![\d.]|,\d)/u;
/** `23時10分05秒`, `오후 11시 10분`. */
const LETTERED_CLOCK = /(\d{1,2}) ?[时時点點시] ?(\d{1,2}) ?[分분](?: ?(\d{1,2}) ?[秒초])?/;
/** Dates with dots are day-first. */
const DOTTED = /(?<!\d)\d{1,2}\. ?\d{1,2}\. ?\d{2}/;
const COMPACT =
  /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?(?:\.\d+)?)?\s*(?:\[([+-]?\d{1,2}(?:[.:]\d{1,2})?)(?::\w+)?\]|(Z))?$/;

/** Parses the formats of exports: ISO, email, `Oct 1, 2024, 11:35 AM`, `1/2/24`, `20240102120000[-5:EST]`. */
export function readWritten(text: string, dayFirst?: boolean): Written | undefined {
  const plain = text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .trim()
    .replace(DOTTED_CLOCK, (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`)
    .replace(
      LETTERED_CLOCK,
      (_, hour, minute, second = '') => `${hour}:${minute.padStart(2, '0')}:${second.padStart(2, '0')}`,
    );
  if (plain.length < 6 || plain.length > 80) return undefined;
  const written = readCompact(plain) ?? readParts(plain, dayFirst ?? DOTTED.test(plain));
  return written !== undefined && isExistingDate(written) ? written : undefined;
}

function readCompact(text: string): Written | undefined {
  const match = COMPACT.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', hours, zulu] = match;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (hour === undefined) return date;
  const clock = (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Number(second) * 1_000;
  const offset =
    hours !== undefined
      ? Math.round(Number(hours.replace(':', '.')) * 60)
      : zulu === undefined
        ? undefined
        : 0;
  return { ...date, clock, ...(offset === undefined ? {} : { offset }) };
}

function readParts(text: string, dayFirst: boolean): Written | undefined {
  const clock = findClock(text);
  const rest = clock === undefined ? text : clock.rest;
  const date = readDate(rest, dayFirst);
  if (date === undefined) return undefined;
  const offset = clock === undefined ? undefined : readOffset(rest);
  return {
    ...date,
    ...(clock === undefined ? {} : { clock: clock.milliseconds }),
    ...(offset === undefined ? {} : { offset }),
  };
}

function findClock(text: string): { milliseconds: number; rest: string } | undefined {
  // Only times with colons are read here, because a date with dots looks like a time with dots.
  const match = CLOCK.exec(text.includes(':') ? text.replace(/\b(\d{1,4})\.(?=\d)/g, '$1/') : '');
  if (match === null) return undefined;
  const [whole, before, hours, minutes, seconds = '0', fraction = '0', latin, arabic, greek] = match;
  const half = latin ?? arabic ?? greek;
  const isAfternoon = /[pPمμΜ]/.test(half ?? '') || /下午|午後|오후/.test(before ?? '');
  const has12Hours = half !== undefined || before !== undefined;
  const hour = has12Hours ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const milliseconds =
    (hour * 60 + Number(minutes)) * MINUTE_MS +
    Math.min(59, Number(seconds)) * 1_000 +
    Math.floor(Number(`0.${fraction}`) * 1_000);
  const withSlashes = text.replace(/\b(\d{1,4})\.(?=\d)/g, '$1/');
  return { milliseconds, rest: withSlashes.replace(whole, ' ') };
}

function readOffset(rest: string): number | undefined {
  const numeric = /(?:^|[^\d])(?:UTC|GMT)? ?([+-])(\d{1,2}):?(\d{2})?\b(?![-/.])/.exec(
    rest.replace(/\d{4}-\d{1,2}-\d{1,2}/, ''),
  );
  if (numeric !== null) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
    return minutes > 15 * 60 ? undefined : (numeric[1] === '-' ? -1 : 1) * minutes;
  }
  for (const word of rest.match(/(?<![\p{L}\d])\p{Lu}{1,4}(?![\p{L}\d])/gu) ?? []) {
    // China Standard Time beside Chinese text, otherwise Central Standard Time.
    if (word === 'CST' && /[年月日]/.test(rest)) return 480;
    const minutes = ZONES.get(word);
    if (minutes !== undefined) return minutes;
  }
  return undefined;
}

/** Korean dates start with the year, which may have two digits, and end with a dot: `24. 4. 15.` */
export const KOREAN = /^(\d\d)\. ?(\d{1,2})\. ?(\d{1,2})\.(?= |$)/;

function readDate(text: string, dayFirst: boolean): Omit<Written, 'clock'> | undefined {
  const korean = KOREAN.exec(text);
  if (korean !== null)
    return { year: widenYear(korean[1] as string), month: Number(korean[2]), day: Number(korean[3]) };
  const yearFirst = /(?<!\d)(\d{4}) ?[-/.年년] ?(\d{1,2}) ?[-/.月월] ?(\d{1,2})(?!\d)/.exec(text);
  if (yearFirst !== null)
    return { year: Number(yearFirst[1]), month: Number(yearFirst[2]), day: Number(yearFirst[3]) };
  const numeric = /(?<!\d)(\d{1,2}) ?[-/.] ?(\d{1,2}) ?[-/.] ?(\d{4}|\d{2})(?!\d)/.exec(text);
  if (numeric !== null) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])];
    // A number above 12 cannot be a month.
    const isDayFirst = first > 12 ? true : second > 12 ? false : dayFirst;
    const year = widenYear(numeric[3] as string);
    return { year, month: isDayFirst ? second : first, day: isDayFirst ? first : second };
  }
  return readNamed(text);
}

/** `10 Oct 2018`, `Oct 10, 2018`, `Wed Oct 10 +0000 2018`, `10-Oct-18`. */
function readNamed(text: string): Omit<Written, 'clock'> | undefined {
  const numbers = text.replace(/(?<=\s)[+-]\d{2}:?\d{2}\b/g, ' ').match(/\d+/g) ?? [];
  const day = numbers.find((number) => number.length <= 2);
  const year = numbers.find((number) => number.length === 4) ?? numbers.filter((n) => n.length === 2)[1];
  const words = text.match(/[\p{L}\p{M}]{2,}\.?/gu) ?? [];
  // Some weekdays start like months, so the word next to a number is preferred.
  const near = /(\d)[ .\-/]*(?:de |d')?([\p{L}\p{M}]{2,})|([\p{L}\p{M}]{2,})\.?[ .\-/]*(?:\d)/u.exec(text);
  const candidates = [near?.[2], near?.[3], ...words].filter((word) => word !== undefined);
  const month = candidates.map(findMonth).find((found) => found !== undefined);
  if (day === undefined || year === undefined || month === undefined) return undefined;
  return { year: widenYear(year), month, day: Number(day) };
}

function widenYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year + (year < 70 ? 2_000 : 1_900);
}

function isExistingDate({ year, month, day }: Written): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 0;
}

/** Languages of month names. If two disagree on a word, the first one wins. */
const LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro tr ru uk el id ca hr sl et lv lt vi bg sr'.split(' ');

let months: Map<string, number> | undefined;

/** Returns 1 to 12 for a month name, long or short, in many languages. */
export function findMonth(word: string): number | undefined {
  months ??= collectMonths();
  const name = normalise(word);
  // Abbreviations differ in length: kesäk. and kesä are both kesäkuuta.
  for (let length = name.length; length >= Math.min(3, name.length); length--) {
    const month = months.get(name.slice(0, length));
    if (month !== undefined) return month;
  }
  return undefined;
}

function collectMonths(): Map<string, number> {
  const found = new Map<string, number>([['sept', 9]]);
  for (const language of LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      // Many languages inflect the name beside a day: maj, maja.
      const inDate = new Intl.DateTimeFormat(language, { day: 'numeric', month: style, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month++) {
        const day = Date.UTC(2024, month - 1, 15);
        const inflected = inDate.formatToParts(day).find(({ type }) => type === 'month')?.value;
        for (const name of [alone.format(day), inflected]) {
          const key = normalise(name ?? '');
          if (key.length > 1 && !/\d/.test(key) && !found.has(key)) found.set(key, month);
        }
      }
    }
  }
  return found;
}

function normalise(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '');
}
