import { readTime, type TimeOptions } from '../../import/read/read-time.ts';

/** `1. Dezember 2013`, `1 de diciembre de 2013`, `1 december 13`. */
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:\.|º|er)?\s+(?:de\s+|d['’])?(\p{L}{3,})\.?,?\s+(?:de[l]?\s+)?(\d{4}|\d{2})(?![\d:])/u;
/** `December 1, 2013`. */
const MONTH_FIRST = /(\p{L}{3,})\.?\s+(\d{1,2}),?\s+(\d{4})(?!\d)/u;
/** `17h08min33s`. */
const LETTERED_CLOCK = /(\d{1,2})\s?h\s?(\d{2})(?:\s?min)?(?:\s?(\d{2})\s?s)?/;

/**
 * When an entry was made: words for it, the weekday, the date, the time of day. Only the date and the clock are read,
 * because words before them may look like months: `mardi`.
 */
export function readClippingTime(written: string, options: TimeOptions): string | undefined {
  const text = written.replace(
    LETTERED_CLOCK,
    (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`,
  );
  const dayFirst = DAY_FIRST.exec(text);
  const found = dayFirst ?? MONTH_FIRST.exec(text);
  if (found === null) return readTime(text.replace(/^[^\d]*/, ''), options);
  const [whole, first, second, year] = found;
  const [day, month] = dayFirst === null ? [second, first] : [first, second];
  const clock = text.slice(found.index + whole.length).replace(/^\D*?(?=\d)/, '');
  return (
    readTime(`${day} ${month} ${year} ${clock}`, options) ?? readTime(`${day} ${month} ${year}`, options)
  );
}
