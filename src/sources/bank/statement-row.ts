import { readDay, readTime, type TimeOptions } from '../../import/read/read-time.ts';
import { isTimeZone } from '../../time/instant.ts';
import { dropEmpty } from '../values/json.ts';
import type { ColumnRole } from './column-words.ts';
import { type Amount, parseAmount } from './parse-amount.ts';
import type { StatementColumns } from './statement-columns.ts';
import { isDirection, isPaid, type StatementReading } from './survey-statement.ts';

type Values = Readonly<Record<string, string>>;

/** The booking date is the date of a payment. Other dates are stored beside it. */
const BOOKED =
  /book|post|complet|finish|clear|settle|buch|comptab|contab|boek|bokf|bogf|kirjaus|ksiegow|zauct/i;
const PENDING = /pend|в обработке|vorgemerkt|ausstehend|attente|progress|processing|authori[sz]|reserv/i;
const DECLINED = /declin|fail|revert|cancel|denied|reject|void|refus|abgelehnt|storn|关闭/i;
/** Beside these columns, `Name` is the owner's own name. */
const OTHERS =
  /counter|other party|partner|tegenpartij|contrepartie|contraparte|controparte|gegen|kontrahent/i;
const isNumber = (text: string) => /^[A-Z]{2}\d\d[A-Z0-9 ]*$|^[\d .-]{6,}$/.test(text);

export function createRowReader(columns: StatementColumns, reading: StatementReading, options: TimeOptions) {
  const of = (role: ColumnRole) => columns.roles.get(role) ?? [];
  const dayColumns = [
    ...[...of('date')].sort((a, b) => Number(BOOKED.test(b)) - Number(BOOKED.test(a))),
    ...of('paidOn'),
    ...of('valueDate'),
  ];
  const valueDays = [
    ...of('valueDate'),
    ...(reading.isValutaDate ? of('currency').filter((name) => /^valuta$/i.test(name)) : []),
  ];
  // The first of several columns for one role is used; the others are stored unchanged.
  const isUsed = new Set(
    [...columns.roles].flatMap(([role, names]) => (role === 'memo' ? names : names.slice(0, 1))),
  );
  for (const name of [...of('date'), ...of('paidOn')]) if (name !== dayColumns[0]) isUsed.delete(name);
  const { dayFirst, mark } = reading;

  const currencies = findCurrencies(columns, reading);
  for (const name of currencies.slice(0, 1)) isUsed.add(name);

  return (values: Values): ReadRow | undefined => {
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
    // A time column may also hold a date, which may differ from the booking date.
    const clock = (readDay(time ?? '') === undefined ? [written, time, zone] : [time, zone])
      .filter(Boolean)
      .join(' ');
    const read = (isRead: (name: string) => boolean) => {
      // Without another text, the bank's reference is the description.
      const said = findTexts(
        of('memo').flatMap((name) => (isRead(name) ? [values[name]?.trim() ?? ''] : [])),
        findPayee(values, columns, money.value, isRead),
      );
      return said.merchant === undefined ? findTexts([], findWords(find('reference'))) : said;
    };
    const former = read((name) => !LATER_TEXT.test(name));
    const whole = read(() => true);
    const labelled = whole.description === '' ? splitLabels(whole.merchant ?? '') : undefined;
    const texts = labelled?.texts ?? whole;
    const currency = currencies.map((name) => values[name]?.trim().toUpperCase()).find((cell) => cell);
    const formerCurrency =
      (reading.isValutaDate ? undefined : find('currency')?.toUpperCase()) ?? money.currency;
    const rest = Object.entries(values).filter(([name, cell]) => !isUsed.has(name) && cell.trim() !== '');
    const original = parseAmount(find('originalAmount') ?? '', mark);
    const valueDay = valueDays.map((name) => readDay(values[name] ?? '', { dayFirst })).find((day) => day);
    const data = dropEmpty({
      ...texts,
      date: readDay(written, { dayFirst }),
      booked_at: /\d ?[:h時时시] ?\d/.test(clock)
        ? readTime(
            clock,
            zone !== undefined && isZone(zone) ? { dayFirst, timeZone: zone } : { ...options, dayFirst },
          )
        : undefined,
      value_date: valueDay,
      amount: money.value,
      currency: currency ?? money.currency ?? (money.isDollar ? reading.dollar : undefined),
      category: find('category'),
      type: find('type'),
      status: readStatus(find('status') ?? values.Info),
      balance: parseAmount(find('balance') ?? '', mark)?.value,
      fee: Math.abs(parseAmount(find('fee') ?? '', mark)?.value ?? 0) || undefined,
      original_amount: original?.value,
      original_currency: find('originalCurrency') ?? original?.currency,
      counterparty_iban: find('otherAccount') ?? labelled?.iban,
      city: find('city'),
      check_number: find('check'),
      reference: find('id') ?? find('reference') ?? labelled?.reference,
      tags: find('tags')?.split(/\s*[,;]\s*/),
      other_columns: rest.length === 0 ? undefined : Object.fromEntries(rest),
    });
    const { merchant, description } = former;
    const reference = find('id') ?? find('reference');
    return {
      data,
      legacyData: {
        merchant: merchant || undefined,
        description: description || undefined,
        currency: formerCurrency,
        reference,
      },
    };
  };
}

interface ReadRow {
  readonly data: Record<string, unknown>;
  /** Values that earlier versions read for some fields. */
  readonly legacyData: Readonly<Record<string, unknown>>;
}

/** Text columns that earlier versions did not read. */
const LATER_TEXT =
  /^(?:vorgang\/verwendungszweck|händler|empfaenger ?\d?|lançamento|operazione|détails du mouvement|libellés|内容)$/i;

/** Currency columns: the one beside the amount is its currency, another may be the balance's. */
function findCurrencies({ names, roles }: StatementColumns, { isValutaDate }: StatementReading): string[] {
  const at = names.indexOf(roles.get('amount')?.[0] ?? '');
  return [...(roles.get('currency') ?? [])]
    .filter((name) => !(isValutaDate && /^valuta$/i.test(name)))
    .sort((a, b) => Number(names.indexOf(b) === at + 1) - Number(names.indexOf(a) === at + 1));
}

const LABELS = /(?:^|\s)(Auftraggeber|Empfänger|Zahlungspflichtiger|Kto\/IBAN|BLZ\/BIC|Buchungstext):\s*/;

/** comdirect writes counterparty and purpose in one cell: `Auftraggeber: Shop Buchungstext: Einkauf Ref. X1/2`. */
function splitLabels(text: string) {
  const parts = text.split(LABELS);
  if (parts.length < 3 || parts[0] !== '') return undefined;
  const labels = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2) labels.set(parts[at] as string, (parts[at + 1] ?? '').trim());
  const [, purpose = '', reference] =
    /^(.*?)(?:\s*Ref\. (\S+))?$/s.exec(labels.get('Buchungstext') ?? '') ?? [];
  const who = labels.get('Auftraggeber') ?? labels.get('Empfänger') ?? labels.get('Zahlungspflichtiger');
  const texts = who
    ? { merchant: who, description: purpose }
    : { merchant: purpose || text, description: '' };
  return { texts, reference, iban: labels.get('Kto/IBAN') };
}

/** Returns a negative amount for money that left the account. */
function readMoney(
  values: Values,
  { roles, currencies }: StatementColumns,
  reading: StatementReading,
): Amount | undefined {
  const { mark, direction, countsUp, hasNegativeCredits } = reading;
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
      value: round((hasNegativeCredits ? Math.abs(credit) : credit) - Math.abs(paid?.value ?? 0)),
    };
  }
  const turned = countsUp !== (direction !== undefined && isPaid(values[direction] ?? ''));
  return { ...single, value: turned && single.value !== 0 ? -single.value : single.value };
}

const findWords = (text: string | undefined) => (/\p{L}{3}/u.test(text ?? '') ? text : undefined);

const round = (value: number) => Math.round(value * 1e6) / 1e6;

/** An IANA time zone name, `Europe/Berlin`. */
function isZone(text: string): boolean {
  return text.includes('/') && isTimeZone(text);
}

/** Returns the counterparty: payee or payer, depending on the direction. */
function findPayee(
  values: Values,
  { roles }: StatementColumns,
  amount: number,
  isRead: (name: string) => boolean,
): string | undefined {
  const ways = amount < 0 ? (['recipient', 'payer'] as const) : (['payer', 'recipient'] as const);
  const names = [...(roles.get('payee') ?? [])].sort(
    (a, b) => Number(OTHERS.test(b)) - Number(OTHERS.test(a)),
  );
  const cells = [...names, ...ways.flatMap((role) => roles.get(role) ?? [])]
    .filter(isRead)
    .map((name) => values[name]?.trim() ?? '')
    .filter((cell) => cell !== '');
  return cells.find((cell) => !isNumber(cell)) ?? cells[0];
}

/** Returns counterparty and purpose. A single text becomes the name, because payments are listed by name. */
function findTexts(cells: readonly string[], payee: string | undefined) {
  const memos = [...new Set(cells)].filter((memo) => memo !== '' && !isDirection(memo));
  const [first, ...others] = payee === undefined ? memos : [payee, ...memos.filter((memo) => memo !== payee)];
  return { merchant: first, description: others.join('\n') };
}

function readStatus(text: string | undefined): string {
  if (text === undefined) return 'booked';
  return DECLINED.test(text) ? 'declined' : PENDING.test(text) ? 'pending' : 'booked';
}
