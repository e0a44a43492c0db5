/** Years of Iran are about 1400 now, years of Arabia about 1445; nobody wrote messages in ours. */
const CALENDARS: readonly (readonly [from: number, until: number, name: string])[] = [
  [1_380, 1_425, 'persian'],
  [1_426, 1_470, 'islamic-umalqura'],
];

const DAY = 86_400_000;
const known = new Map<string, string>();
const MOST_KNOWN = 10_000;

const findCalendar = (year: string) =>
  CALENDARS.find(([from, until]) => Number(year) >= from && Number(year) <= until)?.[2];

export const isOtherYear = (year: string): boolean => year.length === 4 && findCalendar(year) !== undefined;

/** The day in everybody's calendar, `2024-01-15`: reckoned to within days, then found by what each is called there. */
export function toCommonDate(year: string, month: string, day: string): string {
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
  const near = reckon(calendar, Number(year), Number(month), Number(day));
  const found = [0, -1, 1, -2, 2, -3, 3].find((days) => {
    const parts = format.formatToParts(near + days * DAY);
    const [y, m, d] = ['year', 'month', 'day'].map((part) => parts.find(({ type }) => type === part)?.value);
    return `${y}-${m}-${d}` === key;
  });
  // A day that no month has is none in ours either.
  const date = found === undefined ? '0000-00-00' : new Date(near + found * DAY).toISOString().slice(0, 10);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, date);
  return date;
}

/** Years of Iran begin in spring, and their first six months are longer; those of Arabia follow the moon. */
function reckon(calendar: string, year: number, month: number, day: number): number {
  if (calendar === 'persian')
    return Date.UTC(year + 621, 2, 20) + ((month - 1) * 31 - Math.max(0, month - 7) + day) * DAY;
  return Date.UTC(622, 6, 18) + Math.round((year - 1) * 354.367_07 + (month - 1) * 29.530_59 + day) * DAY;
}
