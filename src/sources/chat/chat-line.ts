import { DAY_MS } from '../../time/durations.ts';

/** AM and PM as phones write them in other languages. Parts of a pattern. */
const MORNING =
  '上午|凌晨|清晨|早上|오전|午前|ص|ق\\.ظ\\.?|قبل دوپہر|לפנה["״]צ|पूर्वाह्न|म\\.पू\\.|পূর্বাহ্ণ|முற்பகல்|' +
  'ಪೂರ್ವಾಹ್ನ|ก่อนเที่ยง|π\\.μ\\.|de\\.|öö|pg|fm|dop\\.|f\\.h\\.|(?:e )?p(?:\\.d\\.|aradites)|sa|' +
  'ap\\.|priekšp\\.|priešpiet|претпл\\.|дп|TO|පෙ\\.ව\\.|ກ່ອນທ່ຽງ|နံနက်|ү\\.ө\\.|vm\\.|ጥዋት|r\\.n\\.|' +
  'ਪੂ\\.ਦੁ\\.';

const EVENING =
  '下午|晚上|中午|傍晚|오후|午後|م|ب\\.ظ\\.?|بعد دوپہر|אחה["״]צ|अपराह्न|म\\.उ\\.|অপরাহ্ণ|பிற்பகல்|ಅಪರಾಹ್ನ|' +
  'หลังเที่ยง|μ\\.μ\\.|du\\.|ös|ptg|em|odp\\.|e\\.h\\.|m\\.d\\.|e pasdites|ch|ip\\.|pēcp\\.|popiet|' +
  'pop\\.|попл\\.|пп|TK|ප\\.ව\\.|ຫຼັງທ່ຽງ|ညနေ|ү\\.х\\.|nm\\.|ከሰዓት|i\\.n\\.|ਬਾ\\.ਦੁ\\.';

/** The header of a message in an exported chat: its time and the rest of the line. */
export interface ChatLine {
  /** The three numbers of the date as written, and their separator. */
  readonly date: readonly [string, string, string];
  readonly separator: string;
  /** `15:45:00` */
  readonly clock: string;
  readonly bracketed: boolean;
  readonly rest: string;
}

/** Direction marks that phones put before names and times. */
const M = '[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]*';
const D = '\\p{Nd}';
const HALF = `(?:[ap]\\.?\\s?m\\.?|${MORNING}|${EVENING})`;
const LATER = new RegExp(`^(?:p\\.?\\s?m|${EVENING})`, 'iu');
/** Japanese phones may count years by era. */
const ERAS: Readonly<Record<string, number>> = { R: 2_018, 令和: 2_018, H: 1_988, 平成: 1_988 };
const YEAR = `((?:${Object.keys(ERAS).join('|')})?${D}{1,4})`;
const DATE = `(?:AP\\s)?${YEAR}${M}\\s?([-./年년])\\s?${M}(${D}{1,2})${M}\\s?[-./月월]\\s?${M}${YEAR}\\s?[.日일]?(?:\\s?(?:г\\.|BE\\b))?`;
/** Canadian phones write `9 h 41 min 05 s`. */
const CLOCK = `(?:(${HALF})\\s?)?(${D}{1,2})(?:[:.]|\\s?h\\s?)(${D}{2})(?:(?:[:.]|\\s?min\\s?)(${D}{2})(?:\\s?s)?)?(?:\\s?(?:ч\\.\\s)?(${HALF}))?`;
const BETWEEN = `[,،၊]?${M}(?:\\s(?:à|às|um|kl\\.?|klo|at|a las|alle|ore|เวลา))?\\s*${M}`;
/**
 * Phones write `[date, time] name: text`, `date, time - name: text` and, long ago, `date time: name: text`. In
 * Korea a comma ends the time.
 */
const HEADER = new RegExp(
  `^${M}(\\[)?${M}${DATE}${BETWEEN}${CLOCK}(?:\\s(?:น\\.|Uhr|ч\\.)|\\.)?${M}(\\]|\\s[-–—](?=\\s)|:(?=\\s)|(?<=(?:오전|오후).{4,9}),(?=\\s))\\s?(.*)$`,
  'isu',
);
/** Korean dates put the year first, even with two digits: `26. 3. 5.` */
const KOREAN_DATE = new RegExp(`^${M}\\[?${M}${D}{2}\\. ${D}{1,2}\\. ${D}{1,2}\\.`, 'u');
/** WhatsApp did not exist before this year. */
const FIRST_YEAR = 2_009;
/** Vietnamese phones write the time first. */
const TIME_FIRST = new RegExp(
  `^${M}(\\[)?${M}${CLOCK}${BETWEEN}${DATE}${M}(\\]|\\s[-–—](?=\\s))\\s?(.*)$`,
  'isu',
);

export function readChatLine(text: string): ChatLine | undefined {
  const found = matchHeader(text.length > 2_000_000 ? text.slice(0, 2_000_000) : text);
  if (found === undefined) return undefined;
  const [open, a, separator, b, c, before, hours, minutes, seconds, after, close, rest] = found;
  if ((open === '[') !== (close === ']')) return undefined;
  const clock = readClock(plain(hours), plain(minutes), plain(seconds ?? '00'), before ?? after);
  if (clock === undefined) return undefined;
  const [first, last] = [plainYear(a), plainYear(c)];
  const isKorean = KOREAN_DATE.test(text) || /^(?:오전|오후)$/.test(before ?? '');
  return {
    date: [isShortYear(first, last, isKorean) ? `20${first}` : first, plain(b), last],
    separator: separator as string,
    clock,
    bracketed: open === '[',
    rest: rest as string,
  };
}

/**
 * Returns whether the first of two short numbers is the year: the last cannot be one, or the country writes it
 * first.
 */
function isShortYear(first: string, last: string, isKorean: boolean): boolean {
  if (first.length !== 2 || last.length > 2) return false;
  return isKorean || (2_000 + Number(last) < FIRST_YEAR && 2_000 + Number(first) >= FIRST_YEAR);
}

/** Returns the groups of the header in the order of the usual form. */
function matchHeader(text: string): (string | undefined)[] | undefined {
  const usual = HEADER.exec(text);
  if (usual !== null) return usual.slice(1);
  const other = TIME_FIRST.exec(text)?.slice(1);
  return other && [other[0], ...other.slice(6, 10), ...other.slice(1, 6), ...other.slice(10)];
}

/** Converts digits of any script to ASCII. */
function plain(digits: string | undefined): string {
  return (digits ?? '').replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    let zero = digit.charCodeAt(0);
    while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
    return String((digit.charCodeAt(0) - zero) % 10);
  });
}

/** Converts a year of a Japanese era to the common year. */
function plainYear(text: string | undefined): string {
  const [, era, digits] = /^(\D*)(.*)$/u.exec(plain(text)) ?? [];
  const before = ERAS[era?.toUpperCase() ?? ''];
  return before === undefined ? plain(text) : String(before + Number(digits));
}

function readClock(
  hours: string,
  minutes: string,
  seconds: string,
  half: string | undefined,
): string | undefined {
  // Some clocks call the first hour of a day 24.
  const written = Number(hours) === 24 ? 0 : Number(hours);
  const hour = half === undefined || written > 12 ? written : (written % 12) + (LATER.test(half) ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
}

/** Returns the date as written, to detect the date order. */
export const dateOf = ({ date, separator }: ChatLine): string => date.join(separator);

/** Returns the local time, `2024-05-01T15:45:00`. A number above 12 is the day, whatever the file's order is. */
export function localTimeOf({ date: [a, b, c], clock }: ChatLine, dayFirst: boolean): string {
  if (isNonGregorianYear(a)) return `${toGregorianDate(a, b, c)}T${clock}`;
  if (isNonGregorianYear(c)) return `${toGregorianDate(c, b, a)}T${clock}`;
  if (a.length >= 3) return `${widenYear(a)}-${b.padStart(2, '0')}-${c.padStart(2, '0')}T${clock}`;
  const isDayFirst = Number(a) > 12 ? true : Number(b) > 12 ? false : dayFirst;
  const [day, month] = isDayFirst ? [a, b] : [b, a];
  return `${widenYear(c)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${clock}`;
}

/** Two digits mean this century. The Buddhist calendar is 543 years ahead, so its 69 is 2026. */
function widenYear(text: string): string {
  const short = Number(text) + (Number(text) > 50 ? 2_500 : 2_000);
  const year = text.length <= 2 ? short : Number(text);
  return String(year > 2_400 ? year - 543 : year).padStart(4, '0');
}

/** Persian years are about 1400 now, Islamic years about 1445: no message has a Gregorian year like these. */
const CALENDARS: readonly (readonly [from: number, until: number, name: string])[] = [
  [1_380, 1_425, 'persian'],
  [1_426, 1_470, 'islamic-umalqura'],
];

const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

const findCalendar = (year: string) =>
  CALENDARS.find(([from, until]) => Number(year) >= from && Number(year) <= until)?.[2];

const isNonGregorianYear = (year: string): boolean => year.length === 4 && findCalendar(year) !== undefined;

/** Converts a date to the Gregorian calendar, `2024-01-15`: estimates it, then compares the formatted neighbours. */
function toGregorianDate(year: string, month: string, day: string): string {
  const key = `${year}-${Number(month)}-${Number(day)}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const calendar = findCalendar(year) ?? 'gregory';
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  const near = estimateTime(calendar, Number(year), Number(month), Number(day));
  const found = [0, -1, 1, -2, 2, -3, 3].find((days) => {
    const parts = format.formatToParts(near + days * DAY_MS);
    const [y, m, d] = ['year', 'month', 'day'].map((part) => parts.find(({ type }) => type === part)?.value);
    return `${y}-${m}-${d}` === key;
  });
  // A date that does not exist stays invalid.
  const date =
    found === undefined ? '0000-00-00' : new Date(near + found * DAY_MS).toISOString().slice(0, 10);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, date);
  return date;
}

/** Persian years begin in March, and their first six months have 31 days. Islamic years follow the moon. */
function estimateTime(calendar: string, year: number, month: number, day: number): number {
  if (calendar === 'persian')
    return Date.UTC(year + 621, 2, 20) + ((month - 1) * 31 - Math.max(0, month - 7) + day) * DAY_MS;
  return Date.UTC(622, 6, 18) + Math.round((year - 1) * 354.367_07 + (month - 1) * 29.530_59 + day) * DAY_MS;
}
