import { KOREAN } from './read-clock.ts';
import { readDay } from './read-time.ts';

export interface FoundOrder {
  readonly dayFirst: boolean;
  /** For the report; undefined where no date could be read two ways. */
  readonly note?: string;
}

const TWO_WAYS = /^\D*(\d{1,2})[-/.] ?(\d{1,2})[-/.] ?(\d{4}|\d{2})(?!\d)/;
/** Marks of writing from the right stand between the numbers of Arabic and Hebrew dates. */
const MARKS = /[\u200e\u200f]/g;
/** Where people write the month first. */
const MONTH_FIRST_ZONES =
  /^(America\/(?!(Argentina|Sao_Paulo|Bogota|Lima|Caracas|Santiago|Montevideo))|US\/|Pacific\/(Honolulu|Guam)|Asia\/Manila)/;

/**
 * Finds from all dates of a file whether 03/04 is the third of April: show it each of them, then ask. A day past the
 * twelfth decides; else the order in which the rows run in time; else the dots that only some countries use.
 */
export class DayOrder {
  #dayFirst = 0;
  #monthFirst = 0;
  #dotted = 0;
  #ambiguous = 0;
  #last: readonly [string, string] | undefined;
  readonly #ups = [0, 0];
  readonly #downs = [0, 0];

  add(text: string): void {
    const match = TWO_WAYS.exec(text.replace(MARKS, ''));
    if (match === null || KOREAN.test(text)) return;
    const [first, second] = [Number(match[1]), Number(match[2])];
    if (match[0].includes('.')) this.#dotted += 1;
    if (first > 12 && second <= 12) this.#dayFirst += 1;
    else if (second > 12 && first <= 12) this.#monthFirst += 1;
    else this.#ambiguous += 1;
    this.#compare(match[0]);
  }

  #compare(text: string): void {
    const days = [readDay(text, { dayFirst: true }) ?? '', readDay(text, { dayFirst: false }) ?? ''] as const;
    for (const [which, day] of days.entries()) {
      const last = this.#last?.[which];
      if (last === undefined) continue;
      if (day > last) (this.#ups[which] as number) += 1;
      if (day < last) (this.#downs[which] as number) += 1;
    }
    this.#last = days;
  }

  decide(options: { readonly dayFirst?: boolean; readonly timeZone: string }): FoundOrder {
    const say = (dayFirst: boolean, why: string): FoundOrder => ({
      dayFirst,
      note: `dates are read with the ${dayFirst ? 'day' : 'month'} first, ${why}`,
    });
    if (options.dayFirst !== undefined) return say(options.dayFirst, 'as you said');
    if (this.#dayFirst > 0 && this.#monthFirst === 0) return say(true, 'which only so makes sense');
    if (this.#monthFirst > 0 && this.#dayFirst === 0) return say(false, 'which only so makes sense');
    if (this.#ambiguous === 0 && this.#dayFirst === 0) return { dayFirst: false };
    const turns = [0, 1].map((which) => Math.min(this.#ups[which] as number, this.#downs[which] as number));
    const [ifDay, ifMonth] = turns as [number, number];
    if (ifDay !== ifMonth) return say(ifDay < ifMonth, 'because the rows then run in order of time');
    if (this.#dotted > 0) return say(true, 'as dates with dots are');
    return say(
      !MONTH_FIRST_ZONES.test(options.timeZone),
      'which is a guess: if it is wrong, say --day-first or --month-first',
    );
  }
}
