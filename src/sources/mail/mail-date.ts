import { formatTime, readTime } from '../../import/read/read-time.ts';

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
/** RFC 5322 §3.3 as nearly all mails have it. */
const WRITTEN =
  /^(?:[A-Z][a-z]{2}, )? ?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-])(0\d|1[0-3])([0-5]\d)(?: \([A-Z]{1,5}\))?$/;

/** The time of a mail's Date or Received line, in whatever shape. */
export function readMailTime(text: string, timeZone: string): string | undefined {
  const [, day, month = '', year, hour, minute, second, sign, ...offset] = WRITTEN.exec(text.trim()) ?? [];
  const place = MONTHS.indexOf(month);
  const isUsual = day !== undefined && place % 3 === 0 && Number(day) >= 1 && Number(day) <= 28;
  if (!isUsual || Number(year) < 1_000)
    return readTime(text.replace(/\([^)]*\)/g, ' '), { timeZone, dayFirst: true });
  const minutes = Number(offset[0]) * 60 + Number(offset[1]);
  const ahead = sign === '-' ? -minutes : minutes;
  const [y, d, h, m, s] = [year, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return formatTime(Date.UTC(y, place / 3, d, h, m - ahead, s));
}
