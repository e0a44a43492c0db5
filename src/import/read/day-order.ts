import { KOREAN } from './read-clock.ts';
import { readDay } from './read-time.ts';

export interface FoundOrder {
  readonly dayFirst: boolean;
  /** A note for the report. Undefined if no date is ambiguous. */
  readonly note?: string;
}

const NUMERIC_DATE = /^\D*(\d{1,2})[-/.] ?(\d{1,2})[-/.] ?(\d{4}|\d{2})(?!\d)/;
/** Arabic and Hebrew dates contain direction marks between the numbers. */
const DIRECTION_MARKS = /[\u200e\u200f]/g;
/** Time zones in which people write the month first. */
const MONTH_FIRST_ZONES =
  /^(America\/(?!(Argentina|Sao_Paulo|Bogota|Lima|Caracas|Santiago|Montevideo))|US\/|Pacific\/(Honolulu|Guam)|Asia\/Manila)/;

/**
 * Decides from all dates of a file whether 03/04 is the third of April. Add every date, then call `decide`. A day above 12
 * decides; otherwise the order of the rows; otherwise dots between the numbers.
 */
export class DayOrder {
  #dayFirst = 0;
  #monthFirst = 0;
  #dotted = 0;
  #ambiguous = 0;
  #last: readonly [string, string] | undefined;
  readonly #ups = [0, 0];
  readonly #downs = [0, 0];

  /** Adds a date as it is written in the file. */
  add(text: string): void {
    const match = NUMERIC_DATE.exec(text.replace(DIRECTION_MARKS, ''));
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

  /** Returns the order and a note for the report. */
  decide(options: { readonly dayFirst?: boolean; readonly timeZone: string }): FoundOrder {
    const answer = (dayFirst: boolean, reason: string): FoundOrder => ({
      dayFirst,
      note: `dates are read ${dayFirst ? 'day' : 'month'}-first${reason}`,
    });
    if (options.dayFirst !== undefined) return answer(options.dayFirst, ', as you chose');
    if (this.#dayFirst > 0 && this.#monthFirst === 0)
      return answer(true, '; month-first would be impossible');
    if (this.#monthFirst > 0 && this.#dayFirst === 0) return answer(false, '; day-first would be impossible');
    if (this.#ambiguous === 0 && this.#dayFirst === 0) return { dayFirst: false };
    const reversals = [0, 1].map((which) =>
      Math.min(this.#ups[which] as number, this.#downs[which] as number),
    );
    const [ifDay, ifMonth] = reversals as [number, number];
    if (ifDay !== ifMonth) return answer(ifDay < ifMonth, ', because the rows are then in date order');
    if (this.#dotted > 0) return answer(true, ', as is usual for dates with dots');
    return answer(
      !MONTH_FIRST_ZONES.test(options.timeZone),
      '. This is a guess. If it is wrong, import again with --day-first or --month-first.',
    );
  }
}
