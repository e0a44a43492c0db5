import { readDay, readTime, type TimeOptions } from '../../import/read/read-time.ts';
import { isTimeZone } from '../../time/instant.ts';
import { dropEmpty } from '../values/drop-empty.ts';
import type { ColumnRole } from './column-words.ts';
import { type Amount, parseAmount } from './parse-amount.ts';
import type { StatementColumns } from './statement-columns.ts';
import { isDirection, isPaid, type StatementReading } from './survey-statement.ts';

type Values = Readonly<Record<string, string>>;

/** The day of booking is the day of a payment; others are kept beside it. */
const BOOKED =
  /book|post|complet|finish|clear|settle|buch|comptab|contab|boek|bokf|bogf|kirjaus|ksiegow|zauct/i;
const PENDING = /pend|в обработке|vorgemerkt|ausstehend|attente|progress|processing|authori[sz]|reserv/i;
const DECLINED = /declin|fail|revert|cancel|denied|reject|void|refus|abgelehnt|storn|关闭/i;
/** Beside these a `Name` is the owner's own. */
const OTHERS =
  /counter|other party|partner|tegenpartij|contrepartie|contraparte|controparte|gegen|kontrahent/i;
const isNumber = (text: string) => /^[A-Z]{2}\d\d[A-Z0-9 ]*$|^[\d .-]{6,}$/.test(text);

/** Makes the payment of a row; undefined where it has no day or no amount. */
export function createRowReader(columns: StatementColumns, reading: StatementReading, options: TimeOptions) {
  const of = (role: ColumnRole) => columns.roles.get(role) ?? [];
  const dayColumns = [
    ...[...of('date')].sort((a, b) => Number(BOOKED.test(b)) - Number(BOOKED.test(a))),
    ...of('paidOn'),
    ...of('valueDate'),
  ];
  const valueDays = [
    ...of('valueDate'),
    ...(reading.valutaIsDay ? of('currency').filter((name) => /^valuta$/i.test(name)) : []),
  ];
  // Of several columns for one thing the first speaks; the others are kept as they are.
  const isUsed = new Set(
    [...columns.roles].flatMap(([role, names]) => (role === 'memo' ? names : names.slice(0, 1))),
  );
  for (const name of [...of('date'), ...of('paidOn')]) if (name !== dayColumns[0]) isUsed.delete(name);
  const { dayFirst, mark } = reading;

  return (values: Values): Record<string, unknown> | undefined => {
    const find = (role: ColumnRole) =>
      of(role)
        .map((name) => values[name]?.trim())
        .find((cell) => cell) || undefined;
    const written = dayColumns
      .map((name) => values[name] ?? '')
      .find((cell) => readDay(cell, { dayFirst }) !== undefined);
    const money = readMoney(values, columns, reading);
    if (written === undefined || money === undefined) return undefined;
    const [zone, time] = [find('zone'), find('time')];
    // A column of times may hold the day as well, and then it is another day than that of booking.
    const clock = (readDay(time ?? '') === undefined ? [written, time, zone] : [time, zone])
      .filter(Boolean)
      .join(' ');
    const memos = of('memo').map((name) => values[name]?.trim() ?? '');
    // Where nothing else is said, what the bank calls a reference says it.
    const said = findTexts(memos, findPayee(values, columns, money.value));
    const texts = said.merchant === undefined ? findTexts([], findWords(find('reference'))) : said;
    const rest = Object.entries(values).filter(([name, cell]) => !isUsed.has(name) && cell.trim() !== '');
    const original = parseAmount(find('originalAmount') ?? '', mark);
    const valueDay = valueDays.map((name) => readDay(values[name] ?? '', { dayFirst })).find((day) => day);
    return dropEmpty({
      ...texts,
      date: readDay(written, { dayFirst }),
      booked_at: /\d[:h]\d\d/.test(clock)
        ? readTime(
            clock,
            zone !== undefined && isZone(zone) ? { dayFirst, timeZone: zone } : { ...options, dayFirst },
          )
        : undefined,
      value_date: valueDay,
      amount: money.value,
      currency: (reading.valutaIsDay ? undefined : find('currency')?.toUpperCase()) ?? money.currency,
      category: find('category'),
      type: find('type'),
      status: readStatus(find('status') ?? values.Info),
      balance: parseAmount(find('balance') ?? '', mark)?.value,
      fee: Math.abs(parseAmount(find('fee') ?? '', mark)?.value ?? 0) || undefined,
      original_amount: original?.value,
      original_currency: find('originalCurrency') ?? original?.currency,
      counterparty_iban: find('otherAccount'),
      city: find('city'),
      check_number: find('check'),
      reference: find('id') ?? find('reference'),
      tags: find('tags')?.split(/\s*[,;]\s*/),
      other_columns: rest.length === 0 ? undefined : Object.fromEntries(rest),
    });
  };
}

/** Signed as an account sees it: what left it is below zero. */
function readMoney(
  values: Values,
  { roles, currencies }: StatementColumns,
  reading: StatementReading,
): Amount | undefined {
  const { mark, direction, countsUp, creditsBelow } = reading;
  const find = (role: ColumnRole): Amount | undefined => {
    const name = roles.get(role)?.find((one) => (values[one] ?? '').trim() !== '');
    const amount = name === undefined ? undefined : parseAmount(values[name] ?? '', mark);
    const currency = currencies.get(name ?? '');
    return amount === undefined || currency === undefined ? amount : { currency, ...amount };
  };
  const single = find('amount');
  if (single === undefined) {
    const [paid, received] = [find('debit'), find('credit')];
    const either = received?.value ? received : (paid ?? received);
    if (either === undefined) return undefined;
    const credit = received?.value ?? 0;
    return {
      ...either,
      value: round((creditsBelow ? Math.abs(credit) : credit) - Math.abs(paid?.value ?? 0)),
    };
  }
  const turned = countsUp !== (direction !== undefined && isPaid(values[direction] ?? ''));
  return { ...single, value: turned && single.value !== 0 ? -single.value : single.value };
}

const findWords = (text: string | undefined) => (/\p{L}{3}/u.test(text ?? '') ? text : undefined);

const round = (value: number) => Math.round(value * 1e6) / 1e6;

/** A name as the zones of the world have them, `Europe/Berlin`. */
function isZone(text: string): boolean {
  return text.includes('/') && isTimeZone(text);
}

/** Who it is about. Where payer and payee have columns of their own, the other one is meant. */
function findPayee(values: Values, { roles }: StatementColumns, amount: number): string | undefined {
  const ways = amount < 0 ? (['recipient', 'payer'] as const) : (['payer', 'recipient'] as const);
  const names = [...(roles.get('payee') ?? [])].sort(
    (a, b) => Number(OTHERS.test(b)) - Number(OTHERS.test(a)),
  );
  const cells = [...names, ...ways.flatMap((role) => roles.get(role) ?? [])]
    .map((name) => values[name]?.trim() ?? '')
    .filter((cell) => cell !== '');
  return cells.find((cell) => !isNumber(cell)) ?? cells[0];
}

/** Who, and what for. A statement with one text has it as its name, because a payment is called by it. */
function findTexts(cells: readonly string[], payee: string | undefined) {
  const memos = [...new Set(cells)].filter((memo) => memo !== '' && !isDirection(memo));
  const [first, ...others] = payee === undefined ? memos : [payee, ...memos.filter((memo) => memo !== payee)];
  return { merchant: first, description: others.join('\n') };
}

function readStatus(text: string | undefined): string {
  if (text === undefined) return 'booked';
  return DECLINED.test(text) ? 'declined' : PENDING.test(text) ? 'pending' : 'booked';
}
