import type { ImportOptions } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { type DecimalMark, MarkCount } from '../../import/read/decimal-mark.ts';
import type { Table } from '../../import/read/read-table.ts';
import { readDay } from '../../import/read/read-time.ts';
import { parseAmount } from './parse-amount.ts';
import { countsPurchasesUp, type StatementColumns } from './statement-columns.ts';

/** How the rows of a statement are to be read, which only all of them together show. */
export interface StatementReading {
  readonly dayFirst: boolean;
  readonly mark: DecimalMark;
  /** The column whose words say which way the money went, where the amounts have no sign. */
  readonly direction?: string;
  readonly countsUp: boolean;
  readonly newestFirst: boolean;
  /** `valuta` is a day or a currency. */
  readonly valutaIsDay: boolean;
  readonly notes: readonly string[];
}

const PAID = /^(debit|dr|d|s|soll|af|dbit|out|debet|debe|dare|-)$/i;
const RECEIVED = /^(credit|cr|c|h|haben|bij|crdt|in|kredit|haber|avere|neutral|\+)$/i;

export const isPaid = (word: string) => PAID.test(word.trim());
export const isDirection = (word: string) => PAID.test(word) || RECEIVED.test(word);

export async function surveyStatement(
  table: Table,
  columns: StatementColumns,
  options: ImportOptions,
): Promise<StatementReading> {
  const of = (...roles: Parameters<typeof columns.roles.get>[0][]) =>
    roles.flatMap((role) => columns.roles.get(role) ?? []);
  const days = of('date', 'paidOn', 'valueDate');
  const amounts = of('amount', 'debit', 'credit', 'balance');
  const single = of('amount');
  const words = new Map(of('direction', 'type', 'memo').map((name) => [name, { known: 0, unknown: 0 }]));
  const valuta = of('currency').find((name) => /^valuta$/i.test(name));
  const order = new DayOrder();
  const marks = new MarkCount();
  let [hasMinus, valutaIsDay, first, last] = [false, false, '', ''];
  for await (const row of table.rows()) {
    if (row.kind === 'problem') continue;
    for (const name of days) order.see(row.values[name] ?? '');
    for (const name of amounts) marks.see(row.values[name] ?? '');
    if (single.some((name) => (parseAmount(row.values[name] ?? '')?.value ?? 0) < 0)) hasMinus = true;
    for (const [name, count] of words) {
      const word = row.values[name]?.trim() ?? '';
      if (word !== '') count[isDirection(word) ? 'known' : 'unknown'] += 1;
    }
    if (valuta !== undefined && /\d/.test(row.values[valuta] ?? '')) valutaIsDay = true;
    const day = row.values[days[0] ?? ''] ?? '';
    first ||= day;
    last = day || last;
  }
  const { dayFirst, note } = order.decide(options);
  const direction = [...words].find(([, { known, unknown }]) => known > 0 && unknown === 0)?.[0];
  const countsUp = countsPurchasesUp(columns) && !columns.roles.has('debit');
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(countsUp ? ['this card writes purchases without a minus; they are kept with one'] : []),
  ];
  return {
    dayFirst,
    mark: marks.decide(),
    ...(direction === undefined || hasMinus ? {} : { direction }),
    countsUp,
    newestFirst: (readDay(first, { dayFirst }) ?? '') > (readDay(last, { dayFirst }) ?? ''),
    valutaIsDay,
    notes,
  };
}
