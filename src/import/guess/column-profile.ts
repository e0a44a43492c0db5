import { DayOrder } from '../read/day-order.ts';
import { type DecimalMark, DecimalMarkCounter } from '../read/decimal-mark.ts';
import { findMonth } from '../read/read-clock.ts';
import { isTime, readDay } from '../read/read-time.ts';

export type ColumnKind = 'text' | 'integer' | 'number' | 'boolean' | 'date-time' | 'date' | 'list' | 'json';

/** How to read ambiguous values of a column. */
export interface ColumnReading {
  readonly dayFirst?: boolean;
  readonly mark?: DecimalMark;
}

const INTEGER = /^-?(0|[1-9]\d{0,14})$/;
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?([eE][+-]?\d{1,2})?$/;
/** A number with thousands separators or a decimal comma. */
const SEPARATED_NUMBER =
  /^(?!\+.* )[-+]?(?:[1-9]\d{0,2}(?:([.,'’ ])\d{3})+(?:(?!\1)[.,]\d{1,12})?|(?:0|[1-9]\d{0,14})[.,]\d{1,12})$/;
const BOOLEAN = /^(true|false|yes|no)$/i;
const CLOCK = /\d{1,2}[:.]\d{2}/;
/** Texts that programs write for a missing value. */
const MISSING_VALUE = /^(?:|n\/a|#n\/a|null|nil|none|nan|-{1,2}|–|—|\\n)$/i;
const MAX_MISSING_VALUE_CHARACTERS = 4;
/** Whether the number is a Unix time of the years 2001 to 2100 in seconds, milliseconds or microseconds. */
const isEpoch = (value: number) =>
  [1, 1e3, 1e6].some((unit) => value >= 978_307_200 * unit && value < 4_102_444_800 * unit);
const COMPACT_DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** The common formats, which need no closer check. */
const PLAIN_DAY =
  /^(?:\d{4}-\d\d-\d\d|\d\d?[./-]\d\d?[./-]\d\d(?:\d\d)?)(?:[T ]\d\d?:[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Whether the text is one date and nothing else, unlike `2024-01-20 to 2024-02-03` and `Bill of 2024-01-20`. */
function isOneDay(text: string): boolean {
  if (PLAIN_DAY.test(text)) return true;
  if (/(?<!\d)(?:19|20)\d\d(?!\d).*(?<!\d)(?:19|20)\d\d(?!\d)/.test(text)) return false;
  if (/[;=#%]|\p{Sc}/u.test(text)) return false;
  const words = text.match(/\p{L}{5,}/gu) ?? [];
  const others = words.filter((word) => findMonth(word) === undefined);
  // Allows a weekday beside a month, in any language.
  return others.length <= (/\p{L}{3}/u.test(text) && findMonths(text) ? 1 : 0);
}

const findMonths = (text: string) =>
  (text.match(/[\p{L}\p{M}]{2,}/gu) ?? []).some((word) => findMonth(word) !== undefined);

export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isMissingText(value.trim()));

const isMissingText = (text: string) =>
  text.length <= MAX_MISSING_VALUE_CHARACTERS && MISSING_VALUE.test(text);

/** Finds the type of a column from all its values. Its size does not grow with the file. */
export class ColumnProfile {
  readonly #order = new DayOrder();
  readonly #marks = new DecimalMarkCounter();
  readonly #fits = {
    boolean: true,
    integer: true,
    number: true,
    marked: true,
    date: true,
    'date-time': true,
    epoch: true,
    compact: true,
    list: true,
    json: true,
  };
  /** Whether the column is named like a time, so that numbers can be times. */
  readonly #isTime: boolean;
  #isText = false;
  #filled = 0;
  #empty = 0;
  #days = 0;

  constructor(isTime: boolean) {
    this.#isTime = isTime;
  }

  add(value: unknown): void {
    const text = typeof value === 'string' ? value.trim() : undefined;
    if (text === undefined ? isMissing(value) : isMissingText(text)) {
      this.#empty += 1;
      return;
    }
    this.#filled += 1;
    if (text === undefined) this.#addValue(value);
    else this.#addText(text);
  }

  get isEverywhere(): boolean {
    return this.#empty === 0 && this.#filled > 0;
  }

  get isMostlyFilled(): boolean {
    return this.#filled >= this.#empty;
  }

  get isEmpty(): boolean {
    return this.#filled === 0;
  }

  /** The number of dates among the values, if most values are dates but not all. */
  get dateShare(): { days: number; of: number } | undefined {
    const isMostlyDates = this.kind() === 'text' && this.#days > 0 && this.#days >= 0.6 * this.#filled;
    return isMostlyDates ? { days: this.#days, of: this.#filled } : undefined;
  }

  setText(): void {
    this.#isText = true;
  }

  kind(): ColumnKind {
    if (this.isEmpty || this.#isText) return 'text';
    if (this.#isTime && this.#fits.epoch) return 'date-time';
    if (this.#isTime && this.#fits.compact) return 'date';
    const kinds = ['boolean', 'integer', 'number', 'date', 'date-time', 'list'] as const;
    const plain = kinds.find((kind) => this.#fits[kind]);
    if (plain !== undefined) return plain;
    if (this.#fits.marked) return 'number';
    return this.#fits.json ? 'json' : 'text';
  }

  /** Returns how to read dates and numbers, with a note if the column holds dates. */
  reading(options: Parameters<DayOrder['decide']>[0]): ColumnReading & { readonly note?: string } {
    const { dayFirst, note } = this.#order.decide(options);
    const hasNote = note !== undefined && /^date/.test(this.kind());
    return { dayFirst, mark: this.#marks.decide(), ...(hasNote ? { note } : {}) };
  }

  #addText(text: string): void {
    const fits = this.#fits;
    fits.list = false;
    fits.json = false;
    fits.boolean &&= BOOLEAN.test(text);
    fits.integer &&= INTEGER.test(text);
    const isNumber = NUMBER.test(text);
    fits.number &&= isNumber;
    fits.epoch &&= isNumber && isEpoch(Number(text));
    fits.compact &&= COMPACT_DAY.test(text);
    const isMarked = SEPARATED_NUMBER.test(text);
    fits.marked &&= isMarked || isNumber;
    if (isMarked) this.#marks.add(text);
    if (!fits.date && !fits['date-time'] && this.#days === 0) return;
    const day = !isNumber && /\d/.test(text) && isOneDay(text) ? readDay(text) : undefined;
    const hasClock = day !== undefined && CLOCK.test(text) && isTime(text, { timeZone: 'UTC' });
    fits.date &&= day !== undefined && !/:\d\d/.test(text);
    fits['date-time'] &&= day !== undefined && (hasClock || !text.includes(':'));
    if (day !== undefined) {
      this.#days += 1;
      this.#order.add(text);
    }
  }

  #addValue(value: unknown): void {
    const fits = this.#fits;
    fits.date = false;
    fits['date-time'] = false;
    fits.boolean &&= typeof value === 'boolean';
    fits.number &&= typeof value === 'number' && Number.isFinite(value);
    fits.marked &&= fits.number;
    fits.integer &&= Number.isSafeInteger(value);
    fits.epoch &&= typeof value === 'number' && isEpoch(value);
    fits.compact &&= Number.isSafeInteger(value) && COMPACT_DAY.test(String(value));
    fits.list &&= Array.isArray(value) && value.every((one) => typeof one === 'string');
  }
}
