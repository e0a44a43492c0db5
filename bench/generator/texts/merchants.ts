import type { spendingCategories } from '../../../src/sources/bank/bank-declaration.ts';

export type Category = (typeof spendingCategories)[number];

/** Where money goes. Prices are in euros. */
export interface Merchant {
  name: string;
  category: Category;
  low: number;
  high: number;
}

/** Per category: names separated by a bar, then the price range and how often it is visited. */
type Row = readonly [names: string, category: Category, low: number, high: number, weight: number];

const rows: Row[] = [
  ['REWI Markt|Biomarkt Linde|Kaufpark|Frischecenter|Netto Nord', 'groceries', 4, 85, 34],
  ['Bäckerei Sommer|Backstube Ostkreuz|Hofladen Wendt', 'groceries', 2, 14, 18],
  ['Wochenmarkt Boxhagen|Asia Markt Dong|Feinkost Rossi', 'groceries', 5, 40, 8],
  ['Café Morgenrot|Kaffee Kontor|Espresso Ambulanz', 'restaurants', 3, 12, 22],
  ['Ramen Ya|Trattoria Conti|Falafel Beirut|Curry Haus|Tapas Valencia|Pho Hanoi', 'restaurants', 9, 62, 18],
  ['Kantine Halden', 'restaurants', 5, 9, 14],
  ['Verkehrsbetriebe Berlin|Stadtrad Verleih|Taxi Zentrale', 'transport', 2, 32, 16],
  ['Deutsche Fernbahn|Carsharing Flotte|Tankstelle Süd', 'transport', 12, 120, 6],
  ['Apotheke am Markt|Optik Brenner|Physio Zentrum|Praxis Doktor Yilmaz', 'health', 5, 95, 6],
  ['Buchhandlung Quell|Plattenladen Rille|Papierhaus', 'leisure', 6, 48, 7],
  ['Kino Babylon|Konzerthaus|Museum für Natur|Jazzclub Keller', 'leisure', 8, 70, 6],
  ['Kletterhalle Ostkreuz|Boulderwerk', 'sports', 3, 18, 12],
  ['Bergsport Ott|Fahrrad Franz', 'sports', 15, 240, 3],
  ['Elektro Blitz|Baumarkt Hammer|Möbel Nord|Gartencenter Grün', 'shopping', 8, 260, 6],
  ['Online Warenhaus|Kleiderkreisel|Second Hand Mitte|Drogerie Klar', 'shopping', 5, 90, 12],
  ['Geldautomat Nordbank', 'fees', 20, 200, 3],
];

export const merchants = rows.flatMap(([names, category, low, high, weight]) => {
  const all = names.split('|');
  return all.map((name): [Merchant, number] => [{ name, category, low, high }, weight / all.length]);
});

/** What was bought, in the words of the statement. */
export const purposes: Record<string, string[]> = {
  groceries: [
    'weekly shopping',
    'bread and milk',
    'vegetables',
    'fruit',
    'cheese',
    'snacks',
    'dinner ingredients',
  ],
  restaurants: ['lunch', 'dinner', 'coffee and cake', 'breakfast', 'drinks', 'takeaway', 'espresso'],
  transport: ['single ticket', 'day ticket', 'train ticket', 'ride', 'fuel', 'bike rental'],
  health: ['prescription', 'glasses', 'treatment', 'sunscreen', 'vitamins'],
  leisure: ['tickets', 'paperback', 'second-hand record', 'exhibition', 'concert', 'notebook'],
  sports: ['day pass', 'shoe rental', 'chalk', 'climbing shoes', 'rope', 'inner tube', 'quickdraws'],
  shopping: [
    'light bulb',
    'winter coat',
    'shelf',
    'screws',
    'flower pots',
    'headphones',
    'socks',
    'soap',
    'gift',
  ],
  fees: ['cash withdrawal'],
};

/** Kinds of small shops that get a rare owner's name, so that merchants also have a long tail. */
export const smallShops = [
  ['Bäckerei', 'groceries', 2, 16],
  ['Café', 'restaurants', 3, 18],
  ['Restaurant', 'restaurants', 14, 80],
  ['Buchladen', 'leisure', 7, 45],
  ['Werkstatt', 'shopping', 20, 180],
] as const;

/** What is paid every month: day of the month, amount, method and account. */
export const monthly = [
  [1, 'Hausverwaltung Lindner', 'housing', -1180, 'transfer', 'acc_joint', 'Rent Lindenstraße 14'],
  [2, 'Stadtwerke Berlin', 'utilities', -74, 'direct_debit', 'acc_joint', 'Electricity instalment'],
  [3, 'Krankenkasse Mitte', 'insurance', -31.5, 'direct_debit', 'acc_checking', 'Dental insurance'],
  [5, 'Spotify', 'subscriptions', -10.99, 'direct_debit', 'acc_card', 'Spotify Premium'],
  [7, 'Kletterhalle Ostkreuz', 'sports', -49, 'direct_debit', 'acc_checking', 'Membership climbing hall'],
  [9, 'OpenAI', 'subscriptions', -22.99, 'card', 'acc_card', 'ChatGPT Plus subscription'],
  [12, 'Funknetz', 'utilities', -19.99, 'direct_debit', 'acc_checking', 'Mobile phone'],
  [15, 'Kletterfreunde Ost', 'sports', -8, 'transfer', 'acc_checking', 'Club fee'],
  [27, 'Halden Robotics', 'income', 4150, 'transfer', 'acc_checking', 'Salary'],
  [28, 'Nora Keller', 'savings', 500, 'transfer', 'acc_savings', 'Savings plan'],
  [28, 'Nora Keller', 'savings', -500, 'transfer', 'acc_checking', 'Savings plan'],
] as const;

/** Euros to the money of the places the owner travels to. */
export const exchangeRates: Record<string, number> = {
  EUR: 1,
  GBP: 0.86,
  CHF: 0.95,
  JPY: 162,
  THB: 38,
  DKK: 7.46,
  NOK: 11.6,
  CNY: 7.8,
  USD: 1.09,
  INR: 98,
};
