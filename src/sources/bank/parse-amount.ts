import { type DecimalMark, normaliseDigits } from '../../import/read/decimal-mark.ts';
import { wordTable } from '../values/words.ts';

export interface Amount {
  readonly value: number;
  /** ISO 4217 code, if a code or an unambiguous sign is beside the amount. */
  readonly currency?: string;
  /** True if a dollar sign without a country is beside the amount. */
  readonly isDollar?: true;
}

/** Signs of exactly one currency. A dollar sign may mean one of twenty. */
const SIGNS = wordTable(`€=EUR|£=GBP|₹=INR|₽=RUB|₺=TRY|₪=ILS|₩=KRW|₴=UAH|฿=THB|
  ₫=VND|₱=PHP|₦=NGN`);
const DOLLARS = wordTable(`US=USD|A=AUD|AU=AUD|C=CAD|CA=CAD|NZ=NZD|HK=HKD|S=SGD|
  SG=SGD|NT=TWD|MX=MXN|R=BRL`);
const NUMBER = /\d[\d.,'’\s]*/;
const SPACES = /[\s'’]/g;

/**
 * Parses an amount as banks write it: `1.234,56`, `(12.00)`, `12,00-`, `−3.50 EUR`, `$1,000`, `20.00 DR`. The
 * decimal mark of the file decides ambiguous amounts such as `1,234`.
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
    ...(currency === undefined && around.includes('$') ? { isDollar: true } : {}),
  };
}

const CODES = new Set(Intl.supportedValuesOf('currency'));

export function findCurrency(text: string): string | undefined {
  const codes = text.match(/(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g) ?? [];
  const code = codes.find((one) => CODES.has(one));
  if (code !== undefined) return code;
  const sign = /\p{Sc}/u.exec(text)?.[0];
  if (sign === '$') return DOLLARS[/(?<![A-Za-z])([A-Z]{1,2})\$/.exec(text)?.[1] ?? ''];
  return sign === undefined ? undefined : SIGNS[sign];
}

/** Countries that write their own dollar or peso as `$`, by time zone. */
const DOLLAR_ZONES: readonly (readonly [RegExp, string])[] = [
  [
    /^(Canada\/|America\/(Toronto|Vancouver|Montreal|Edmonton|Winnipeg|Halifax|Regina|St_Johns|Calgary))/,
    'CAD',
  ],
  [/^Australia\//, 'AUD'],
  [/^(NZ|Pacific\/Auckland)/, 'NZD'],
  [/^(Singapore|Asia\/Singapore)/, 'SGD'],
  [/^(Hongkong|Asia\/Hong_Kong)/, 'HKD'],
  [/^(Mexico\/|America\/(Mexico_City|Monterrey|Tijuana|Cancun))/, 'MXN'],
  [/^America\/(Argentina\/|Buenos_Aires)/, 'ARS'],
  [/^America\/Santiago/, 'CLP'],
  [/^America\/Bogota/, 'COP'],
];

export function findDollar(timeZone: string): string {
  return DOLLAR_ZONES.find(([zones]) => zones.test(timeZone))?.[1] ?? 'USD';
}
