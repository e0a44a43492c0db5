import { Readable } from 'node:stream';
import type { AnyRow } from '../../import/guess/guess-stream.ts';
import type { InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { parseExactJson } from '../../import/read/exact-json.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { isValue } from '../../import/read/sniff-table.ts';
import { isObject } from '../values/json-shape.ts';
import type { AnyTable, ReadRow } from './generic-rows.ts';

const MOST_LISTS = 50;
/** Objects inside objects become columns of their own, so that they can be searched and compared; larger ones stay. */
const [MOST_KEYS, MOST_DEPTH] = [20, 3];

export async function* readJsonLines(file: InputFile): AsyncGenerator<ReadRow[]> {
  const toRows = createRowMaker();
  for await (const { number, text, cut } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const parsed = cut ? undefined : parseExactJson(text);
    if (parsed?.kind === 'value') yield toRows(`line ${number}`, parsed.value);
    else
      yield [{ kind: 'problem', place: `line ${number}`, reason: parsed?.reason ?? 'is longer than 16 MB' }];
  }
}

/** Every list of a file is a table: at the top, or all that lie as deep as the first one. */
export async function openJsonTables(file: InputFile): Promise<AnyTable[]> {
  const depth = await findLists(file);
  if (depth === undefined) return [];
  if (depth === '*') return [{ name: 'rows', pieces: () => readJsonRows(file, '*') }];
  const paths = new Set<string>();
  for await (const element of readJsonElements(file, [depth])) {
    const path = element.kind === 'element' && isInList(element) ? element.path.slice(0, -1).join('.') : '';
    if (path !== '' && paths.size < MOST_LISTS) paths.add(path);
  }
  return [...paths].map((path) => ({
    name: paths.size === 1 ? 'rows' : path,
    pieces: () => readJsonRows(file, `${path}.*`),
  }));
}

/** How deep the lists are: `*` for one at the top, or for an object that names its rows. */
export async function findLists(file: InputFile): Promise<string | undefined> {
  const text = (await peekText(file)).trimStart();
  if (text.startsWith('[')) return '*';
  const head = await file.head();
  // The beginning must do: nobody has asked yet to go through all of it.
  const beginning = {
    ...file,
    head: async () => head,
    open: () => Readable.from([head]) as AsyncIterable<Uint8Array>,
  };
  for (const depth of ['*.*', '*.*.*', '*.*.*.*']) {
    for await (const element of readJsonElements(beginning, [depth]))
      if (element.kind === 'element' && isInList(element)) return depth;
  }
  let named = 0;
  for await (const element of readJsonElements(beginning, ['*'])) {
    if (element.kind === 'element' && !isObject(element.value)) return undefined;
    named += 1;
  }
  return named > 1 ? '*' : undefined;
}

const isInList = ({ path, value }: { path: readonly (string | number)[]; value: unknown }) =>
  typeof path.at(-1) === 'number' && typeof value === 'object' && value !== null;

async function* readJsonRows(file: InputFile, path: string): AsyncGenerator<ReadRow[]> {
  const toRows = createRowMaker();
  let count = 0;
  for await (const element of readJsonElements(file, [path])) {
    count += 1;
    const key = element.kind === 'element' ? element.path.at(-1) : undefined;
    if (element.kind === 'problem') yield [element];
    else if (typeof key === 'string' && isObject(element.value))
      yield toRows(`item ${count}`, { key, ...element.value });
    else yield toRows(`item ${count}`, element.value);
  }
}

/** Rows of objects, of lists whose first one names the columns, or of single values. */
function createRowMaker() {
  let names: readonly unknown[] | undefined;
  return (place: string, value: unknown): ReadRow[] => {
    if (isObject(value)) return [{ kind: 'row', place, row: flatten(value) }];
    if (!Array.isArray(value)) return [{ kind: 'row', place, row: { value } }];
    if (names === undefined && isHeader(value)) {
      names = value;
      return [];
    }
    names ??= [];
    const cells = value.map((cell, index) => [String(names?.[index] ?? `Column ${index + 1}`), cell]);
    return [{ kind: 'row', place, row: flatten(Object.fromEntries(cells)) }];
  };
}

/** Names of columns are words, each another one; a list with a time or an amount in it is a row like the others. */
const isHeader = (cells: readonly unknown[]) =>
  cells.every((cell) => typeof cell === 'string' && !isValue(cell)) && new Set(cells).size === cells.length;

/** `{ user: { name } }` as `user.name`. */
function flatten(value: Readonly<Record<string, unknown>>, depth = 1): AnyRow {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const isSmall = isObject(inner) && depth < MOST_DEPTH && Object.keys(inner).length <= MOST_KEYS;
      if (!isSmall) return [[name, inner]];
      return Object.entries(flatten(inner, depth + 1)).map(([key, one]) => [`${name}.${key}`, one]);
    }),
  );
}
