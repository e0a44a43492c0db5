import { addMinutes, at, type Moment } from './moment.ts';

/** A book of the book club: read for the meeting on Wednesday of that week, at whose home. */
export interface Book {
  readonly week: number;
  readonly title: string;
  readonly author: string;
  readonly price: number;
  readonly host: string;
}

const rows: readonly [number, string, string, number, string][] = [
  [-50, 'Convenience Store Woman', 'Sayaka Murata', 12.9, 'Priya'],
  [-46, 'The Left Hand of Darkness', 'Ursula K. Le Guin', 13.5, 'Nora'],
  [-42, 'Stoner', 'John Williams', 12.9, 'Callum'],
  [-38, 'My Family and Other Animals', 'Gerald Durrell', 11.9, 'Amelia'],
  [-34, 'Gilead', 'Marilynne Robinson', 12.5, 'Priya'],
  [-30, 'The Wall', 'Marlen Haushofer', 14.0, 'Nora'],
  [-26, 'Circe', 'Madeline Miller', 12.9, 'Callum'],
  [-22, 'A Month in the Country', 'J. L. Carr', 11.5, 'Amelia'],
  [-14, 'The Remains of the Day', 'Kazuo Ishiguro', 12.5, 'Priya'],
  [-10, 'Orbital', 'Samantha Harvey', 13.9, 'Callum'],
  [-6, 'Klara and the Sun', 'Kazuo Ishiguro', 12.9, 'Amelia'],
  [-2, 'The Dispossessed', 'Ursula K. Le Guin', 13.5, 'Priya'],
  [2, 'The Housekeeper and the Professor', 'Yoko Ogawa', 12.9, 'Nora'],
];

export const BOOKS: readonly Book[] = rows.map(([week, title, author, price, host]) => ({
  week,
  title,
  author,
  price,
  host,
}));

/** When the bookshop writes that a book is there, and when Nora buys it on her way home. */
export function pickUpBook({ week, price }: Book): { ordered: Moment; bought: Moment; price: number } {
  const ordered = at(Math.max(-52, week - 3), 2, '11:20');
  return { ordered, bought: addMinutes(ordered, 24 * 60 + 6 * 60 + 15), price };
}
