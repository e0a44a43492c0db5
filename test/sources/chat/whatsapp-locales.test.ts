import { describe, expect, it } from 'vitest';
import { localTimeOf, readChatLine } from '../../../src/sources/chat/chat-line.ts';

/** Languages and regions that telephones are set to. Dates and times are written as each of them writes them. */
const LOCALES = (
  'en-US en-GB en-CA en-AU en-IN en-ZA de de-AT de-CH fr fr-CA fr-CH es es-MX es-AR es-CO it pt-BR pt-PT nl nl-BE ' +
  'sv da nb fi is et lv lt pl cs sk hu ro bg sr hr sl mk sq el tr ru uk be kk uz az hy ka he ar ar-SA ar-MA fa ur ' +
  'ps hi bn mr gu pa ta te kn ml si th lo km my vi id ms fil zh-CN zh-TW zh-HK ja ko mn sw af zu am ca gl ga cy'
).split(' ');

const MOMENTS = ['2026-03-25T21:05:33', '2026-03-25T00:05:33', '2026-03-25T09:05:33', '2026-03-25T12:05:33'];

/** Both layouts, each with a clock of 12 and of 24 hours and with either sign after the date. */
function writeLines(locale: string, moment: string): string[] {
  const at = new Date(`${moment}Z`);
  const utc = { timeZone: 'UTC' } as const;
  const date = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'short' }).format(at);
  return [true, false].flatMap((hour12) => {
    const clock = { ...utc, hour12, hour: 'numeric', minute: '2-digit' } as const;
    const short = new Intl.DateTimeFormat(locale, clock).format(at);
    const long = new Intl.DateTimeFormat(locale, { ...clock, second: '2-digit' }).format(at);
    return [', ', ' '].flatMap((sign) => [
      `${date}${sign}${short} - A: x`,
      `[${date}${sign}${long}] A: x`,
      `\u200e[${date}${sign}${long}] A: x`,
    ]);
  });
}

describe('message headers by locale', () => {
  it.each(LOCALES)('in %s', (locale) => {
    for (const moment of MOMENTS)
      for (const text of writeLines(locale, moment)) {
        const line = readChatLine(text);
        const read = line === undefined ? undefined : localTimeOf(line, locale !== 'en-US');
        expect({ text, read: read?.slice(0, 16), rest: line?.rest }).toEqual({
          text,
          read: moment.slice(0, 16),
          rest: 'A: x',
        });
      }
  });

  it.each([
    ['2026. 3. 5. 오후 9:05, A: x', '2026-03-05T21:05:00'],
    ['2026년 3월 5일 오후 9:05, A: x', '2026-03-05T21:05:00'],
    ['26. 3. 5. 오전 12:05 - A: x', '2026-03-05T00:05:00'],
    ['[26. 3. 25. 오후 9:05:33] A: x', '2026-03-25T21:05:33'],
    ['26/3/5 下午9:05 - A: x', '2026-03-05T21:05:00'],
    ['26-03-05 21:05 - A: x', '2026-03-05T21:05:00'],
    ['[05/03/69 21:05:33] A: x', '2026-03-05T21:05:33'],
    ['5/3/2569 เวลา 21:05 น. - A: x', '2026-03-05T21:05:00'],
    ['[5.3.2026 klo 21.05.33] A: x', '2026-03-05T21:05:33'],
    ['[\u200f5\u200f/3\u200f/2026, 21:05:33] A: x', '2026-03-05T21:05:33'],
  ])('%s', (text, time) => {
    const line = readChatLine(text);
    expect(line?.rest).toBe('A: x');
    expect(line === undefined ? undefined : localTimeOf(line, true)).toBe(time);
  });
});
