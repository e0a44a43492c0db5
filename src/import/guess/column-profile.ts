import { DayOrder } from '../read/day-order.ts';
import { readDay, readTime } from '../read/read-time.ts';

export type ColumnKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'decimal comma'
  | 'boolean'
  | 'date-time'
  | 'date'
  | 'list'
  | 'json';

const INTEGER = /^-?(0|[1-9]\d{0,14})$/;
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?([eE][+-]?\d{1,2})?$/;
const DECIMAL_COMMA = /^-?\d{1,3}(\.?\d{3})*(,\d{1,4})?$/;
const BOOLEAN = /^(true|false|yes|no)$/i;
const CLOCK = /\d{1,2}[:.]\d{2}/;

/** What one column holds, from every value in it. Counts only, so a long file costs no more memory than a short one. */
export class ColumnProfile {
  readonly order = new DayOrder();
  readonly #fits: Record<Exclude<ColumnKind, 'text'>, boolean> = {
    boolean: true,
    integer: true,
    number: true,
    'decimal comma': true,
    date: true,
    'date-time': true,
    list: true,
    json: true,
  };
  #filled = 0;
  #empty = 0;
  #comma = false;

  see(value: unknown): void {
    if (value === undefined || value === null || value === '') {
      this.#empty += 1;
      return;
    }
    this.#filled += 1;
    if (typeof value === 'string') this.#seeText(value.trim());
    else this.#seeValue(value);
  }

  get isEverywhere(): boolean {
    return this.#empty === 0 && this.#filled > 0;
  }

  get isEmpty(): boolean {
    return this.#filled === 0;
  }

  kind(): ColumnKind {
    if (this.isEmpty) return 'text';
    const kinds = ['boolean', 'integer', 'number', 'date', 'date-time', 'list'] as const;
    const plain = kinds.find((kind) => this.#fits[kind]);
    if (plain !== undefined) return plain;
    if (this.#fits['decimal comma'] && this.#comma) return 'decimal comma';
    return this.#fits.json ? 'json' : 'text';
  }

  #seeText(text: string): void {
    const fits = this.#fits;
    fits.list = false;
    fits.json = false;
    fits.boolean &&= BOOLEAN.test(text);
    fits.integer &&= INTEGER.test(text);
    fits.number &&= NUMBER.test(text);
    fits['decimal comma'] &&= DECIMAL_COMMA.test(text);
    this.#comma ||= text.includes(',');
    if (!fits.date && !fits['date-time']) return;
    const day = /\d/.test(text) && !NUMBER.test(text) ? readDay(text) : undefined;
    const hasClock =
      day !== undefined && CLOCK.test(text) && readTime(text, { timeZone: 'UTC' }) !== undefined;
    fits.date &&= day !== undefined && !/:\d\d/.test(text);
    fits['date-time'] &&= day !== undefined && (hasClock || !text.includes(':'));
    if (day !== undefined) this.order.see(text);
  }

  #seeValue(value: unknown): void {
    const fits = this.#fits;
    fits.date = false;
    fits['date-time'] = false;
    fits['decimal comma'] = false;
    fits.boolean &&= typeof value === 'boolean';
    fits.number &&= typeof value === 'number' && Number.isFinite(value);
    fits.integer &&= Number.isSafeInteger(value);
    fits.list &&= Array.isArray(value) && value.every((one) => typeof one === 'string');
  }
}
