import type { Random } from '../random.ts';
import {
  type Category,
  exchangeRates,
  merchants,
  monthly,
  purposes,
  smallShops,
} from '../texts/merchants.ts';
import { rareNames } from '../texts/places.ts';
import type { Timeline } from '../timeline.ts';
import type { Trip } from '../trips.ts';

/** One movement of money, without its id. */
export interface Purchase {
  at: number;
  account_id: string;
  description: string;
  merchant: string;
  category: Category;
  amount: number;
  currency: string;
  city: string | null;
  method: 'card' | 'transfer' | 'direct_debit' | 'cash';
  tags: string[];
}

/** Rent, salary and the like, every month, and what the journeys cost; oldest first. */
export function planFixed({ start, end, years }: Timeline, trips: Trip[]): Purchase[] {
  const first = new Date(start);
  const fixed = Array.from({ length: years * 12 + 1 }, (_, month) =>
    monthly.map(([dayOfMonth, merchant, category, amount, method, account_id, description]): Purchase => {
      const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, dayOfMonth, 6);
      return {
        at,
        account_id,
        description,
        merchant,
        category,
        amount,
        currency: 'EUR',
        city: null,
        method,
        tags: ['monthly'],
      };
    }),
  ).flat();
  const journeys = trips.flatMap((trip) => [
    createTripCost(
      trip,
      trip.booked_at,
      trip.carrier,
      -trip.fare,
      `${trip.carrier} ${trip.booking_code} ${trip.place}`,
    ),
    createTripCost(
      trip,
      trip.start + 15 * 3_600_000,
      trip.hotel,
      -trip.hotel_price,
      `${trip.hotel}, ${trip.nights} nights`,
    ),
  ]);
  return [...fixed, ...journeys]
    .filter((purchase) => purchase.at >= start && purchase.at <= end)
    .sort((one, other) => one.at - other.at);
}

function createTripCost(
  trip: Trip,
  at: number,
  merchant: string,
  amount: number,
  description: string,
): Purchase {
  const tags = ['trip', trip.purpose];
  const place = { city: trip.place, currency: 'EUR', method: 'card' } as const;
  return { at, account_id: 'acc_card', description, merchant, category: 'travel', amount, tags, ...place };
}

/** An everyday purchase at home. */
export function drawPurchase(random: Random, at: number): Purchase {
  const { name, category, low, high } = random.chance(0.06)
    ? drawSmallShop(random)
    : random.weighted(merchants);
  const isCash = name.startsWith('Geldautomat');
  return {
    at,
    account_id: random.chance(0.55) ? 'acc_checking' : random.chance(0.5) ? 'acc_joint' : 'acc_card',
    description: `${name} Berlin, ${random.pick(purposes[category] ?? ['purchase'])}`,
    merchant: name,
    category,
    amount: isCash ? -random.int(2, 20) * 10 : -drawPrice(random, low, high),
    currency: 'EUR',
    city: 'Berlin',
    method: isCash ? 'cash' : 'card',
    tags: random.chance(0.05) ? [random.pick(['shared', 'gift', 'work expense', 'tax'])] : [],
  };
}

/**
 * A purchase on a journey. The card is billed in euros, as banks do, so that everything can be added up; what
 * was paid in the money of the place stands beside it.
 */
export function drawTripPurchase(random: Random, at: number, trip: Trip): Purchase {
  const [kind, category, low, high] = random.pick([
    ['Café', 'restaurants', 3, 15],
    ['Restaurant', 'restaurants', 12, 60],
    ['Museum', 'leisure', 8, 25],
    ['Market', 'groceries', 4, 35],
    ['Taxi', 'transport', 6, 40],
  ] as const);
  const merchant = `${kind} ${random.pick(['Central', 'Panorama', 'Station', 'Old Town'])} ${trip.place}`;
  const rate = exchangeRates[trip.currency] ?? 1;
  const price = drawPrice(random, low, high);
  const paid = rate === 1 ? '' : `, ${Math.round(price * rate).toLocaleString('en')} ${trip.currency}`;
  return {
    at,
    account_id: 'acc_card',
    description: `Card payment ${merchant}, ${trip.country}${paid}`,
    merchant,
    category,
    amount: -price,
    currency: 'EUR',
    city: trip.place,
    method: 'card',
    tags: ['trip', trip.purpose],
  };
}

function drawSmallShop(random: Random) {
  const [kind, category, low, high] = random.pick(smallShops);
  // Not every name gets a shop: one in ten, so that some are visited again.
  const name = `${kind} ${rareNames[random.int(0, Math.floor(rareNames.length / 10)) * 10]}`;
  return { name, category, low, high };
}

/** Cheap things are bought more often than dear ones. */
function drawPrice(random: Random, low: number, high: number): number {
  return Math.round((low + (high - low) * random.next() * random.next()) * 100) / 100;
}
