import type { InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import type { Table } from '../../import/read/read-table.ts';
import { splitRows } from '../../import/read/sniff-table.ts';
import { openTableWith } from '../values/table-cells.ts';

export interface FilmTable {
  readonly stream: string;
  readonly table: Table;
  /** The name of a list of films. */
  readonly list?: string;
  /** Where only the name of the file tells which of several it is. */
  readonly note?: string;
}

const FILM = ['Name', 'Year', 'Letterboxd URI'];

/** Which of the tables a file is: by its columns, and by its name where three have the same. */
export async function findFilmTable(file: InputFile): Promise<FilmTable | undefined> {
  const list = await findList(file);
  if (list !== undefined) return list;
  const table = await openTableWith(file, FILM);
  if (table === undefined) return undefined;
  const has = (name: string) => table.columns.some((column) => column.toLowerCase() === name);
  if (has('review')) return { stream: 'reviews', table };
  if (has('watched date')) return { stream: 'diary', table };
  if (has('rating')) return { stream: 'ratings', table };
  const name = file.path.toLowerCase();
  if (/watchlist/.test(name)) return { stream: 'watchlist', table };
  if (/(^|\/)likes\/|liked|(^|\/)films\.csv$/.test(name)) return { stream: 'likes', table };
  if (/watched/.test(name)) return { stream: 'watched', table };
  return { stream: 'watched', table, note: 'films without a day or a rating are taken as watched' };
}

/** A list begins with what it is called, and then has columns of its own. */
async function findList(file: InputFile): Promise<FilmTable | undefined> {
  const head = await peekText(file);
  if (!head.startsWith('Letterboxd list export')) return undefined;
  const table = await openTableWith(file, ['Position', 'Name', 'Year']);
  if (table === undefined) return undefined;
  const rows = splitRows(head.slice(0, 4_000), ',');
  const header = rows.findIndex(
    (row) => row.includes('Name') && row.includes('URL') && !row.includes('Position'),
  );
  const column = rows[header]?.indexOf('Name') ?? -1;
  return { stream: 'list_films', table, list: rows[header + 1]?.[column] ?? 'List' };
}
