import { createRandom } from '../../bench/generator/random.ts';
import type { DemoLine } from '../../src/demo/read-demo.ts';
import { BOOKS, pickUpBook } from './books.ts';
import { createId, createLine } from './line.ts';
import { at, date, instant, type Moment, writeMoment } from './moment.ts';
import { PURCHASES } from './purchases.ts';
import { isBouldering, isFamilyAway, isInOffice, WEEKS } from './weeks.ts';

const ACCOUNTS = {
  checking: ['nordbank_nora', 'Checking', 'checking', 'DE02120300000000202051', 2_146.38],
  savings: ['nordbank_nora', 'Savings', 'savings', 'DE02500105170137075030', 14_470.0],
  joint: ['nordbank_joint', 'Joint account', 'joint', 'DE02100500000054540402', 1_803.77],
} as const;

export type Account = keyof typeof ACCOUNTS;
export type Method = 'card' | 'transfer' | 'direct_debit' | 'cash' | 'interest';

export interface Payment {
  readonly account: Account;
  /** A moment of a week, or a day of a month such as `m-3.27`. */
  readonly when: Moment | string;
  readonly merchant: string;
  readonly amount: number;
  readonly category: string;
  readonly description: string;
  readonly method: Method;
  readonly city?: string | null;
}

/** Accounts and payments of both banks. */
export function createBank(): DemoLine[] {
  const accounts = Object.entries(ACCOUNTS).map(([key, [connection, name, kind, iban, balance]]) =>
    createLine(connection, 'accounts', 'w-52.1 00:00:01', {
      id: createId('account', key),
      name,
      kind,
      iban,
      currency: 'EUR',
      balance,
      bank: 'Nordbank',
    }),
  );
  const payments = [...listMonthly(), ...listEveryday(), ...listBooks(), ...PURCHASES];
  return [...accounts, ...payments.map(createPayment)];
}

function createPayment(payment: Payment, index: number): DemoLine {
  const { account, when, merchant, amount, category, description, method, city = null } = payment;
  const [connection, name] = ACCOUNTS[account];
  const day = typeof when === 'string' ? `[[date ${when}]]` : date(when);
  const known = typeof when === 'string' ? `${when} 07:00:00` : writeMoment(when);
  return createLine(connection, 'transactions', known, {
    id: createId('payment', index, merchant, account),
    account_id: createId('account', account),
    account_name: name,
    category,
    description,
    merchant,
    date: day,
    ...(typeof when !== 'string' && method === 'card' ? { booked_at: instant(when) } : {}),
    amount: Math.round(amount * 100) / 100,
    currency: 'EUR',
    city,
    method,
    status: 'booked',
  });
}

/** Rent, salary, bills and savings, on the same day of every month. */
function listMonthly(): Payment[] {
  const months = Array.from({ length: 13 }, (_, index) => index - 12);
  return months.flatMap((month) => {
    const pay = (
      account: Account,
      day: number,
      merchant: string,
      amount: number,
      category: string,
      description: string,
      method: Method = 'direct_debit',
    ): Payment => ({ account, when: `m${month}.${day}`, merchant, amount, category, description, method });
    // The new role and its salary begin nine months before the end.
    const salary = month < -8 ? 3_640 : 3_890;
    const isQuarter = month % 3 === 0;
    return [
      pay('checking', 27, 'Halden Robotics', salary, 'income', 'Salary', 'transfer'),
      pay('checking', 28, 'Joint account', -1_700, 'housing', 'Household share Nora', 'transfer'),
      pay('joint', 28, 'Nora Keller', 1_700, 'income', 'Household share Nora', 'transfer'),
      pay('joint', 28, 'Tomás Herrera', 1_300, 'income', 'Household share Tomás', 'transfer'),
      pay('checking', 28, 'Savings', -800, 'savings', 'Monthly savings', 'transfer'),
      pay('checking', 3, 'Nordinvest', -200, 'savings', 'Fund savings plan'),
      pay('savings', 28, 'Nora Keller', 800, 'savings', 'Monthly savings', 'transfer'),
      pay('joint', 1, 'Hausverwaltung Petersen', -1_640, 'housing', 'Rent Lindenstraße 14', 'transfer'),
      pay('joint', 3, 'Elbstrom', -94, 'utilities', 'Electricity'),
      pay('joint', 5, 'Internet Nord', -39.99, 'utilities', 'Internet at home'),
      pay('joint', 6, 'Hort Mühlenteich', -118, 'utilities', 'After-school care Mila'),
      pay('joint', 8, 'Grundschule Mühlenteich', -62, 'utilities', 'School lunch Mila'),
      pay('checking', 1, 'Hamburger Verkehrsverbund', -63, 'transport', 'Monthly ticket'),
      pay('checking', 2, 'Boulderwerk', -59, 'sports', 'Membership climbing hall'),
      pay('checking', 8, 'Mobil Nord', -14.99, 'utilities', 'Mobile phone'),
      pay('checking', 11, 'Spotify', -17.99, 'subscriptions', 'Spotify Family', 'card'),
      pay('checking', 14, 'OpenAI', -23, 'subscriptions', 'ChatGPT Plus', 'card'),
      pay('checking', 4, 'Hansa Mutual Insurance', -96.5, 'insurance', 'Disability insurance'),
      pay('checking', 15, 'Hansa Mutual Insurance', -11.4, 'insurance', 'Household insurance HM 7719-204'),
      ...(isQuarter
        ? [
            pay('joint', 10, 'Schwimmschule Delfin', -96, 'sports', 'Swimming course Mila, one quarter'),
            pay('savings', 30, 'Nordbank', 38.6, 'income', 'Interest', 'interest'),
          ]
        : []),
    ];
  });
}

/** Groceries, lunch, coffee: little sums that every week has. */
function listEveryday(): Payment[] {
  const random = createRandom(1, 'everyday payments');
  const price = (from: number, to: number) => -(Math.round((from + (to - from) * random.next()) * 100) / 100);
  return WEEKS.flatMap((week) => {
    const payments: Payment[] = [];
    const buy = (
      account: Account,
      day: number,
      clock: string,
      merchant: string,
      amount: number,
      category: string,
      description: string,
    ) =>
      payments.push({
        account,
        when: at(week, day, clock),
        merchant,
        amount,
        category,
        description,
        method: 'card',
        city: 'Hamburg',
      });
    const isHome = (day: number) => !isFamilyAway(week, day);
    const minute = () => String(random.int(10, 59));
    if (isHome(6))
      buy('joint', 6, `10:${minute()}`, 'Frischmarkt Ottensen', price(62, 98), 'groceries', 'Groceries');
    if (isHome(3))
      buy(
        'joint',
        3,
        `17:${minute()}`,
        'Bioladen Grünkern',
        price(14, 33),
        'groceries',
        'Vegetables and cheese',
      );
    if (isHome(1) && random.chance(0.6))
      buy('joint', 1, `18:${minute()}`, 'Frischmarkt Ottensen', price(11, 29), 'groceries', 'Groceries');
    if (isHome(7))
      buy('joint', 7, `09:${minute()}`, 'Bäckerei Sommer', price(6.2, 11.9), 'groceries', 'Bread and rolls');
    if (isHome(5) && week % 2 === 0)
      buy('joint', 5, `17:${minute()}`, 'Drogerie Linde', price(12, 28), 'shopping', 'Household goods');
    for (const day of [1, 2, 3, 4])
      if (isInOffice(week, day) && random.chance(0.7))
        buy('checking', day, `12:${minute()}`, 'Kantine Halden', price(6.4, 9.6), 'restaurants', 'Lunch');
    for (const day of [2, 5])
      if (isInOffice(week, day) && random.chance(0.8))
        buy('checking', day, `08:${minute()}`, 'Espresso Ambulanz', price(3.2, 6.1), 'restaurants', 'Coffee');
    if (isBouldering(week) && random.chance(0.6))
      buy(
        'checking',
        2,
        `20:${minute()}`,
        'Boulderwerk Bar',
        price(4.5, 9.8),
        'restaurants',
        'Drinks after climbing',
      );
    return payments;
  });
}

/** The book of each book club. */
function listBooks(): Payment[] {
  return BOOKS.map((book) => ({
    account: 'checking' as const,
    when: pickUpBook(book).bought,
    merchant: 'Bücher Lüders',
    amount: -book.price,
    category: 'leisure',
    description: book.title,
    method: 'card' as const,
    city: 'Hamburg',
  }));
}
