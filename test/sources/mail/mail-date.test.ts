import { describe, expect, it } from 'vitest';
import { readTime } from '../../../src/import/read/read-time.ts';
import { readMailTime } from '../../../src/sources/mail/message-record.ts';
import { createDice } from '../contract/damage.ts';

const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
  'anF',
  'Mai',
];

describe('the time of a mail', () => {
  it('is the same from the usual notation as from any other', () => {
    const dice = createDice(5);
    const two = (sides: number) => String(dice(sides)).padStart(2, '0');
    for (let round = 0; round < 2_000; round++) {
      const weekday = ['Mon, ', '', 'Thu, ', 'Die, ', 'mon, '][dice(5)];
      const zone = [`+${two(15)}${two(61)}`, `-${two(15)}00`, 'GMT', 'EST', '+0200 (CEST)', ''][dice(6)];
      const text = `${weekday}${dice(33)} ${MONTHS[dice(14)]} ${1900 + dice(150)} ${two(25)}:${two(61)}:${two(61)} ${zone}`;
      const plain = text.replace(/\([^)]*\)/g, ' ');
      expect([text, readMailTime(text, 'Europe/Berlin')]).toEqual([
        text,
        readTime(plain, { timeZone: 'Europe/Berlin', dayFirst: true }),
      ]);
    }
  });
});
