import { type DecimalMark, normaliseDigits } from '../../import/read/decimal-mark.ts';

export interface Amount {
  readonly value: number;
  /** ISO 4217, where a code or a sign of one currency only stands beside it. */
  readonly currency?: string;
}

/** Signs that mean one currency. A dollar may be one of twenty, so it says nothing. */
const SIGNS: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₽': 'RUB',
  '₺': 'TRY',
  '₪': 'ILS',
};
const NUMBER = /\d[\d.,'’\s]*/;
const SPACES = /[\s'’]/g;

/**
 * An amount as banks write it: `1.234,56`, `(12.00)`, `12,00-`, `−3.50 EUR`, `$1,000`, `20.00 DR`. The mark of the
 * whole file decides about what is written both ways, `1,234`.
 */
export function parseAmount(text: string, mark: DecimalMark = '.'): Amount | undefined {
  const found = NUMBER.exec(text);
  if (found === null) return undefined;
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  const around = `${before} ${after}`;
  if (/\d/.test(after) || /[^\s\p{Sc}\p{L}()+\-−–.,]/u.test(around)) return undefined;
  const digits = found[0].replace(SPACES, '').replace(/[.,]$/, '');
  const leading = /[.,]$/.test(before.trimEnd()) && !/\p{L}[.,]$/u.test(before.trimEnd()) ? '0.' : '';
  const value = Number(leading === '' ? normaliseDigits(digits, mark) : `${leading}${digits}`);
  if (!Number.isFinite(value)) return undefined;
  const isNegative = /[-−–]/.test(around) || /\(.*/.test(before) || /\b(DR|DB|D|S|Soll)\b/.test(after);
  const currency = findCurrency(around);
  return {
    value: isNegative && value !== 0 ? -value : value,
    ...(currency === undefined ? {} : { currency }),
  };
}

const CODES = new Set(Intl.supportedValuesOf('currency'));

/** A currency by its code or by its sign. */
export function findCurrency(text: string): string | undefined {
  const codes = text.match(/(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g) ?? [];
  const code = codes.find((one) => CODES.has(one));
  if (code !== undefined) return code;
  const sign = /\p{Sc}/u.exec(text)?.[0];
  return sign === undefined ? undefined : SIGNS[sign];
}
