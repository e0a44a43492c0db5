import { declare, declareStream, string, time } from '../support/declare.ts';
import type { Line, World } from '../support/world.ts';

const TEXTS = 8;
const names = Array.from({ length: TEXTS }, (_, at) => `text${at}`);

/** A stream with as many searched texts as a stream may have. */
const library = declare('library', [
  declareStream('books', {
    fields: { id: string, at: time, ...Object.fromEntries(names.map((name) => [name, string])) },
    time: 'at',
    search: names,
  }),
]);

/** Returns a number of characters of ordinary words, deterministic per seed. */
export function writeLong(characters: number, seed: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < characters) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    text += `${WORDS[state % WORDS.length]} `;
  }
  return text.slice(0, characters);
}

const SYLLABLES = ['har', 'vel', 'mo', 'ti', 'quar', 'ne', 'lo', 'sa', 'brin', 'ku'];
const WORDS = Array.from({ length: 1_000 }, (_, at) =>
  [at % 10, Math.floor(at / 10) % 10, Math.floor(at / 100)].map((i) => SYLLABLES[i]).join(''),
);

export async function addLibrary(world: World): Promise<void> {
  await world.addSource(library, { shelf: 'Shelf', cellar: 'Cellar' });
}

/** Returns a book with texts of these lengths, each starting with the same word. Books are one minute apart. */
export function writeBook(book: number, lengths: readonly number[]): Line {
  const id = `b${book}`;
  const texts = lengths.map((length, at) => [
    `text${at}`,
    `harbour ${writeLong(length - 8, book * 10 + at)}`,
  ]);
  const at = new Date(Date.UTC(2026, 0, 1) + book * 60_000).toISOString();
  return { key: id, data: { id, at, ...Object.fromEntries(texts) } };
}
