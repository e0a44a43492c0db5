import type { ImportOptions } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { type DecimalMark, DecimalMarkCounter } from '../../import/read/decimal-mark.ts';
import type { Table } from '../../import/read/read-table.ts';
import { readDay } from '../../import/read/read-time.ts';
import { AccountColumns } from './account-columns.ts';
import { findDollar, parseAmount } from './parse-amount.ts';
import { hasPositivePurchases, isWallet, type StatementColumns } from './statement-columns.ts';

/** How to read the rows of a statement, derived from all of its rows. */
export interface StatementReading {
  readonly dayFirst: boolean;
  readonly mark: DecimalMark;
  /** The column whose words give the direction, if the amounts have no sign. */
  readonly direction?: string;
  /** Whether purchases have no minus. */
  readonly countsUp: boolean;
  /** Whether the credit column has negative amounts, as at Citi. */
  readonly hasNegativeCredits: boolean;
  readonly newestFirst: boolean;
  /** Whether `valuta` is a date or a currency. */
  readonly isValutaDate: boolean;
  readonly dollar: string;
  readonly isByCurrency: boolean;
  /** Account columns that belong to the counterparty. */
  readonly otherAccounts: ReadonlySet<string>;
  readonly notes: readonly string[];
}

const PAID = /^(debit|dr|d|s|soll|af|dbit|out|debet|debe|dare|debetas|支出|-)$/i;
const RECEIVED =
  /^(credit|cr|c|h|haben|bij|crdt|in|kredit|haber|avere|k|kreditas|neutral|收入|不计收支|\/|\+)$/i;
/** How cards describe a payment of the bill. */
const BILL_PAID =
  /payment.{0,12}(received|thank ?you)|thank ?you.{0,20}payment|autopay payment|zahlung erhalten|paiement re[cç]u|pago recibido|pagamento (recebido|ricevuto)|betaling ontvangen/i;

/** Transfers between own balances and the like, which have no sign. */
const NEUTRAL = /^(?:neutral|不计收支|\/)$/i;

export const isPaid = (word: string) => PAID.test(word.trim());
export const isDirection = (word: string) => PAID.test(word) || RECEIVED.test(word);

export async function surveyStatement(
  table: Table,
  columns: StatementColumns,
  options: ImportOptions,
  /** The owner's account, if the statement names it above the columns. */
  ownNumber: string | undefined,
): Promise<StatementReading> {
  const of = (...roles: Parameters<typeof columns.roles.get>[0][]) =>
    roles.flatMap((role) => columns.roles.get(role) ?? []);
  const days = of('date', 'paidOn', 'valueDate');
  const amounts = of('amount', 'debit', 'credit', 'balance');
  const single = of('amount');
  const [received, texts] = [of('credit'), of('memo', 'payee')];
  // A direction column may have any name: both of its words must occur.
  const named = of('direction', 'type', 'memo');
  const roled = new Set([...columns.roles.values()].flat());
  const strange = columns.names.filter((name) => !roled.has(name));
  const words = new Map(
    [...named, ...strange].map((name) => [name, { paid: 0, received: 0, unknown: 0, neutral: 0 }]),
  );
  const valuta = of('currency').find((name) => /^valuta$/i.test(name));
  const owners = new AccountColumns(columns, ownNumber);
  const currencies = new Set<string>();
  let hasDollar = false;
  const order = new DayOrder();
  const marks = new DecimalMarkCounter();
  let [hasMinus, isValutaDate, first, last] = [false, false, '', ''];
  // How often bill payments and credits have a minus, and how often not.
  const [bills, credits] = [
    { below: 0, above: 0 },
    { below: 0, above: 0 },
  ];
  const count = (of: typeof bills, value = 0) => {
    if (value !== 0) of[value < 0 ? 'below' : 'above'] += 1;
  };
  for await (const row of table.rows()) {
    if (row.kind === 'problem') continue;
    for (const name of days) order.add(row.values[name] ?? '');
    for (const name of amounts) marks.add(row.values[name] ?? '');
    if (single.some((name) => (parseAmount(row.values[name] ?? '')?.value ?? 0) < 0)) hasMinus = true;
    for (const name of received) count(credits, parseAmount(row.values[name] ?? '')?.value);
    if (texts.some((name) => BILL_PAID.test(row.values[name] ?? '')))
      count(bills, parseAmount(row.values[single[0] ?? ''] ?? '')?.value);
    for (const [name, count] of words) {
      const word = row.values[name]?.trim() ?? '';
      if (NEUTRAL.test(word)) count.neutral += 1;
      if (word !== '') count[isPaid(word) ? 'paid' : isDirection(word) ? 'received' : 'unknown'] += 1;
    }
    owners.addRow(row.values);
    for (const name of of('currency')) currencies.add(row.values[name]?.trim().toUpperCase() ?? '');
    if (amounts.some((name) => parseAmount(row.values[name] ?? '')?.isDollar)) hasDollar = true;
    if (valuta !== undefined && /\d/.test(row.values[valuta] ?? '')) isValutaDate = true;
    const day = row.values[days[0] ?? ''] ?? '';
    first ||= day;
    last = day || last;
  }
  const { dayFirst, note } = order.decide(options);
  const direction = [...words].find(([name, { paid, received, unknown }]) => {
    const isClear = named.includes(name) ? paid + received > 0 : paid > 0 && received > 0;
    return isClear && unknown === 0;
  })?.[0];
  const countsUp =
    (hasPositivePurchases(columns) || (bills.below > 0 && bills.above === 0)) && !columns.roles.has('debit');
  const neutral = direction === undefined || hasMinus ? 0 : (words.get(direction)?.neutral ?? 0);
  const dollar = findDollar(options.timeZone);
  const codes = [...currencies].filter((code) => /^[A-Z]{3}$/.test(code));
  const notes = [
    ...(hasDollar && codes.length === 0 ? [`amounts with a $ are taken for ${dollar}`] : []),
    ...(note === undefined ? [] : [note]),
    ...(neutral === 0
      ? []
      : [
          `rows that ${direction} marks as neither money in nor money out, such as exchanges, have no minus: ${neutral}`,
        ]),
    ...(countsUp ? ['this card writes purchases without a minus; they are kept with one'] : []),
  ];
  return {
    dayFirst,
    mark: marks.decide(),
    ...(direction === undefined || hasMinus ? {} : { direction }),
    countsUp,
    hasNegativeCredits: credits.below > 0 && credits.above === 0,
    newestFirst: (readDay(first, { dayFirst }) ?? '') > (readDay(last, { dayFirst }) ?? ''),
    isValutaDate,
    dollar,
    isByCurrency: isWallet(columns) || codes.length > 1,
    otherAccounts: owners.decide(),
    notes,
  };
}
