import { DAY_MS } from '../../time/durations.ts';
import type { Parts } from '../unzip-parts.ts';
import { readXmlPart } from './read-xml-part.ts';

/** Returns for each cell style whether its number is a date. */
export async function readDateFormats(parts: Parts): Promise<boolean[]> {
  const custom = new Map<number, boolean>();
  const styles: boolean[] = [];
  let isCellStyle = false;
  await readXmlPart(parts.open('xl/styles.xml'), {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt') custom.set(Number(numFmtId), isDateCode(formatCode ?? ''));
      else if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'xf' && isCellStyle)
        styles.push(custom.get(Number(numFmtId)) ?? isBuiltInDate(Number(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return styles;
}

export const isDateFormat = (dates: readonly boolean[], style: number): boolean => dates[style] === true;

/** ECMA-376 part 1, 18.8.30. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** A format code such as `dd.mm.yyyy`, without quoted text and colors. */
const isDateCode = (code: string) => /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));

/** Day 0 of the calendar of spreadsheets. */
const EPOCH = Date.UTC(1899, 11, 30);
/** The year 9999. */
const MAX_DAYS = 2_958_466;

/** Writes the number of a date as `2024-05-01` or `2024-05-01 13:30`. */
export function writeDate(number: string): string {
  const days = Number(number);
  if (number === '' || !Number.isFinite(days) || days < 0 || days >= MAX_DAYS) return number;
  const minutes = Math.round((days % 1) * 1_440);
  const [date = '', time = ''] = new Date(EPOCH + Math.floor(days) * DAY_MS + minutes * 60_000)
    .toISOString()
    .split('T');
  if (days < 1) return time.slice(0, 5);
  return minutes === 0 ? date : `${date} ${time.slice(0, 5)}`;
}
