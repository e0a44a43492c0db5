import { declareSource, declareStream, hasMany, hasOne, oneOf } from '../declare.ts';
import { wordList } from '../values/words.ts';

export const spendingCategories = [
  'groceries',
  'restaurants',
  'transport',
  'travel',
  'housing',
  'utilities',
  'health',
  'shopping',
  'leisure',
  'sports',
  'subscriptions',
  'insurance',
  'income',
  'savings',
  'fees',
] as const;

/** Account types; the first four are those of the demo. */
const accountKinds = wordList(
  'checking|savings|credit_card|joint|money_market|credit_line|investment|cash|asset|loan|other',
);

const paymentMethods = wordList('card|transfer|direct_debit|cash|check|deposit|fee|interest|dividend');

const splits = {
  type: 'array',
  description: 'Parts of one payment, each with its category, amount and note',
  items: { type: 'object' },
};

export const bankDeclaration = declareSource('bank', 'Bank', [
  declareStream('accounts', 'Accounts', {
    description: 'Bank accounts and cards with their balance.',
    detail: 'Your accounts and cards with their balances.',
    cursor: 'opened_on',
    view: { label: 'Names without balances', fields: ['id', 'name', 'kind'] },
    relations: [
      hasMany('transactions', 'transactions', 'account_id'),
      hasMany('balances', 'balances', 'account_id'),
      hasMany('trades', 'trades', 'account_id'),
      hasMany('holdings', 'holdings', 'account_id'),
    ],
    fields: {
      id: 'text',
      name: 'text, search',
      kind: oneOf(accountKinds),
      iban: 'text or null',
      currency: 'text',
      balance: 'number: On the last day of the data',
      opened_on: 'date',
      bank: 'text, search: Name or code of the bank',
      account_number: 'text, sensitive: As the bank writes it',
      balance_on: 'date: The day of the balance',
      available_balance: 'number: The amount that can be spent',
    },
  }),
  declareStream('transactions', 'Transactions', {
    description: 'Card payments, transfers, direct debits and income.',
    detail: 'What you paid and received: date, amount, merchant and purpose.',
    semantics: 'append_only',
    time: 'date',
    view: {
      label: 'Date, amount and merchant',
      fields: ['id', 'account_id', 'date', 'amount', 'currency', 'merchant'],
    },
    relations: [hasOne('account', 'accounts', 'account_id')],
    search: ['description', 'merchant', 'city', 'category', 'type'],
    fields: {
      id: 'text',
      account_id: 'text, required',
      // First of the plain texts, because it is filtered most and gets the last indexed slot.
      category: 'text: Such as groceries, transport or income; or as the bank calls it',
      account_name: 'text: Name of the account',
      description: 'text: Purpose as printed on the statement',
      merchant: 'text: Payer or payee',
      date: 'date, required: Day of booking',
      amount: 'number: Negative when money was spent',
      currency: 'text: ISO 4217 code',
      city: 'text or null: City where a card was used',
      method: oneOf(paymentMethods),
      status: oneOf(
        ['booked', 'pending', 'declined'],
        'Declined payments moved no money: leave them out of sums',
      ),
      reference: 'text: Reference number of the bank, as text',
      tags: 'list',
      booked_at: 'time: Time of the payment, if the bank gives it',
      value_date: 'date: Value date, from which interest is calculated',
      type: 'text: What the bank calls this kind of payment',
      balance: 'number: Balance of the account after the payment',
      original_amount: 'number: In the currency that was paid in',
      original_currency: 'text: ISO 4217 code of the currency that was paid in',
      counterparty_iban: 'text or null: Account of the payer or payee',
      fee: 'number: Fee charged by the bank',
      check_number: 'text',
      splits,
      other_columns: {
        type: 'object',
        description: 'Further columns of the statement, as they are',
        'x-pdpp-sensitive': true,
      },
    },
  }),
  declareStream('balances', 'Balances', {
    description: 'Balances of an account by day, from statements.',
    detail: 'The balances of your accounts by day.',
    semantics: 'append_only',
    time: 'date',
    relations: [hasOne('account', 'accounts', 'account_id')],
    fields: {
      id: 'text',
      account_id: 'text, required',
      date: 'date, required',
      kind: 'text, search: Such as opening, closing, available',
      amount: 'number',
      currency: 'text: ISO 4217 code',
    },
  }),
  declareStream('trades', 'Trades', {
    description: 'Securities bought and sold, dividends and other bookings of an investment account.',
    detail: 'What you bought, sold and earned on investment accounts.',
    semantics: 'append_only',
    time: 'date',
    relations: [hasOne('account', 'accounts', 'account_id'), hasOne('paper', 'securities', 'security_id')],
    search: ['security', 'description', 'action'],
    fields: {
      id: 'text',
      account_id: 'text, required',
      date: 'date, required: Day of the trade',
      security: 'text: Name or code of the security',
      security_id: 'text',
      action: 'text: Such as buy, sell, dividend',
      quantity: 'number',
      price: 'number: For one',
      amount: 'number: Negative when money left the account',
      currency: 'text: ISO 4217 code',
      commission: 'number',
      description: 'text: As printed on the statement',
    },
  }),
  declareStream('holdings', 'Holdings', {
    description: 'What an investment account held on a day.',
    detail: 'Which securities you held, how many and worth how much.',
    semantics: 'append_only',
    time: 'date',
    relations: [hasOne('account', 'accounts', 'account_id'), hasOne('paper', 'securities', 'security_id')],
    fields: {
      id: 'text',
      account_id: 'text, required',
      date: 'date, required',
      security_id: 'text',
      quantity: 'number',
      price: 'number: For one',
      amount: 'number: Total value',
      currency: 'text: ISO 4217 code',
    },
  }),
  declareStream('securities', 'Securities', {
    description: 'Names of the securities that trades and holdings are about.',
    detail: 'Names of shares and funds.',
    relations: [hasMany('trades', 'trades', 'security_id'), hasMany('holdings', 'holdings', 'security_id')],
    fields: { id: 'text', name: 'text, search', ticker: 'text, search' },
  }),
]);
