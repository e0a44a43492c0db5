import { bankDeclaration } from '../../../src/sources/bank/bank-declaration.ts';
import { createBatches, findHostileText } from '../batches.ts';
import { createRandom, type Random } from '../random.ts';
import { countYears, createTimeline, dayHours, writeDate, writeEmittedAt } from '../timeline.ts';
import { createTrips, type Trip } from '../trips.ts';
import type { GeneratedLine, GeneratedSource } from '../types.ts';
import { drawPurchase, drawTripPurchase, type Purchase, planFixed } from './bank-purchases.ts';

const day = 86_400_000;

const accounts = [
  ['acc_checking', 'Everyday account', 'checking', 'DE00 1001 0000 0001 2345 67', 2481.17, '2012-04-02'],
  ['acc_savings', 'Rainy days', 'savings', 'DE00 1001 0000 0007 6543 21', 18_250, '2013-09-16'],
  ['acc_joint', 'Household with Tomás', 'joint', 'DE00 1001 0000 0005 5555 05', 912.4, '2015-01-12'],
  ['acc_card', 'Credit card', 'credit_card', null, -645.83, '2015-06-01'],
] as const;

export const bank: GeneratedSource = {
  declaration: bankDeclaration,
  connections: [{ connection_id: 'bank_checking', connector_key: 'bank', display_name: 'Nordbank' }],
  *generate({ records, seed, until }) {
    const random = createRandom(seed, 'bank');
    yield* createBatches('bank_checking', 'accounts', accounts.map(createAccountLine));
    const lines = createTransactionLines(random, Math.max(0, records - accounts.length), seed, until);
    yield* createBatches('bank_checking', 'transactions', lines);
  },
};

function createAccountLine([
  id,
  name,
  kind,
  iban,
  balance,
  opened_on,
]: (typeof accounts)[number]): GeneratedLine {
  const data = { id, name, kind, iban, currency: 'EUR', balance, opened_on };
  return { key: id, data, emitted_at: writeEmittedAt(Date.parse(opened_on)) };
}

function* createTransactionLines(
  random: Random,
  count: number,
  seed: number,
  until: Date,
): Generator<GeneratedLine> {
  let index = 0;
  for (const purchase of createPurchases(random, count, seed, until)) {
    const id = `tx${purchase.at.toString(36)}${index.toString(36).padStart(4, '0')}`;
    const hostile = findHostileText(index, count);
    const data = {
      id,
      account_id: purchase.account_id,
      description: hostile ?? purchase.description,
      merchant: purchase.merchant,
      category: purchase.category,
      date: writeDate(purchase.at),
      amount: purchase.amount,
      currency: purchase.currency,
      city: purchase.city,
      method: purchase.method,
      status: purchase.at > until.getTime() - 2 * day ? 'pending' : 'booked',
      reference: `9007199254740${String(993_000_000 + index * 17).padStart(10, '0')}`,
      tags: purchase.tags,
    };
    yield { key: id, data, emitted_at: writeEmittedAt(purchase.at) };
    index++;
  }
}

/** Everyday purchases with the fixed ones and the journeys between them, in the order of time. */
function* createPurchases(random: Random, count: number, seed: number, until: Date): Generator<Purchase> {
  // A few purchases a day, so that a month costs what a salary pays.
  const timeline = createTimeline(until, countYears(count, 1_700), dayHours);
  const trips = createTrips(seed, timeline.years, until);
  const fixed = planFixed(timeline, trips).slice(0, Math.floor(count / 2));
  const everyday = count - fixed.length;
  let nextFixed = 0;
  let nextTrip = 0;
  for (let index = 0; index < everyday; index++) {
    const at = timeline.at((index + random.next()) / everyday);
    while (nextFixed < fixed.length && (fixed[nextFixed] as Purchase).at <= at)
      yield fixed[nextFixed++] as Purchase;
    while (nextTrip < trips.length && getEnd(trips[nextTrip] as Trip) < at) nextTrip++;
    const trip = trips[nextTrip];
    const isAway = trip !== undefined && trip.start <= at && random.chance(0.85);
    yield isAway ? drawTripPurchase(random, at, trip) : drawPurchase(random, at);
  }
  yield* fixed.slice(nextFixed);
}

const getEnd = (trip: Trip) => trip.start + (trip.nights + 1) * day;
