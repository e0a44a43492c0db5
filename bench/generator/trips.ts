import { writeCode } from './fill-template.ts';
import { createRandom, type Random } from './random.ts';
import { climbers, colleagues, family, friends, type Person } from './texts/people.ts';
import { destinations } from './texts/places.ts';

/** A journey. It shows in the calendar, in the mail, on the card and in the chats with who came along. */
export interface Trip {
  place: string;
  country: string;
  currency: string;
  purpose: 'holiday' | 'family' | 'climbing' | 'work';
  /** Midnight of the first day. */
  start: number;
  nights: number;
  companions: Person[];
  carrier: string;
  hotel: string;
  booking_code: string;
  fare: number;
  hotel_price: number;
  booked_at: number;
}

const day = 86_400_000;
const carriers = ['Nordwind Air', 'Aerolinea Levante', 'Rhein Rail', 'Sakura Airways', 'Alpen Express'];
const hotels = ['Hotel Krone', 'Pension Sol', 'Casa Verde', 'Ryokan Momiji', 'Refuge du Lac', 'The Old Mill'];

type Plan = readonly [
  place: string,
  country: string,
  currency: string,
  purpose: Trip['purpose'],
  day: readonly [month: number, day: number],
  nights: number,
  companions: Person[],
  carrier: number,
  hotel: number,
];

const [tomas, mother, , jonas] = family as [Person, Person, Person, Person];
const [lea, kenji] = friends as [Person, Person];

const lastYear: Plan[] = [
  ['Lübeck', 'Germany', 'EUR', 'family', [11, 22], 6, [mother, jonas, tomas], 2, 0],
  ['Chamonix', 'France', 'EUR', 'climbing', [0, 23], 3, [lea], 4, 4],
  ['Kyoto', 'Japan', 'JPY', 'holiday', [2, 14], 8, [kenji, tomas], 3, 3],
  ['Fontainebleau', 'France', 'EUR', 'climbing', [4, 1], 4, climbers.slice(0, 4), 2, 4],
  ['Lyon', 'France', 'EUR', 'work', [5, 9], 3, colleagues.slice(3, 7), 0, 5],
  ['Valencia', 'Spain', 'EUR', 'holiday', [7, 8], 14, [tomas], 1, 2],
  ['Siurana', 'Spain', 'EUR', 'climbing', [9, 2], 3, climbers.slice(0, 6), 1, 1],
];

/** All journeys of the `years` years up to `until`, oldest first. Those of the last year are always the same. */
export function createTrips(seed: number, years: number, until: Date): Trip[] {
  // Apart from those before, so that the last year is the same in a source that reaches further back.
  const random = createRandom(seed, 'trips');
  const before = createRandom(seed, 'earlier trips');
  const earlier: [Plan, number][] = [];
  for (let back = 1; back < years; back++) {
    for (const month of [0, 3, 6, 9]) earlier.push([planEarlier(before, month), back]);
  }
  return [...lastYear.map((plan): [Plan, number] => [plan, 0]), ...earlier]
    .map(([plan, back]) => createTrip(random, plan, findStart(until, plan[4], plan[5], back)))
    .sort((one, other) => one.start - other.start);
}

/** When a journey of so many nights from this day of the year last began and was over, and `back` years before. */
function findStart(until: Date, [month, date]: Plan[4], nights: number, back: number): number {
  const year = until.getUTCFullYear();
  const isOver = Date.UTC(year, month, date + nights + 1) <= until.getTime();
  return Date.UTC((isOver ? year : year - 1) - back, month, date);
}

function planEarlier(random: Random, month: number): Plan {
  const [place, country, currency] = random.pick(destinations);
  const purpose = random.pick(['holiday', 'climbing', 'family', 'work'] as const);
  const circle = { holiday: friends, climbing: climbers, family, work: colleagues }[purpose];
  const date = [month, random.int(1, 28)] as const;
  const companions = [random.pick(circle)];
  return [
    place,
    country,
    currency,
    purpose,
    date,
    random.int(2, 12),
    companions,
    random.int(0, 4),
    random.int(0, 5),
  ];
}

function createTrip(random: Random, plan: Plan, start: number): Trip {
  const [place, country, currency, purpose, , nights, companions, carrier, hotel] = plan;
  return {
    place,
    country,
    currency,
    purpose,
    start,
    nights,
    companions,
    carrier: carriers[carrier] as string,
    hotel: `${hotels[hotel]} ${place}`,
    booking_code: writeCode(random),
    fare: random.int(60, country === 'Japan' ? 900 : 320) + 0.9,
    hotel_price: nights * random.int(55, 140),
    booked_at: start - random.int(20, 50) * day + random.int(18, 21) * 3_600_000,
  };
}
