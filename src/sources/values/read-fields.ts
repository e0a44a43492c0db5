import { readDay, type TimeOptions } from '../../import/read/read-time.ts';
import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { listColumns } from '../declare.ts';
import {
  booleanOf,
  flagOf,
  type JsonObject,
  listOf,
  objectOf,
  roundedOf,
  someOf,
  stringOf,
  textOf,
  timeOf,
} from './json.ts';
import { cellInteger, cellNumber } from './table-cells.ts';
import { splitList } from './words.ts';

/** Returns the value of a column, or of a path in a JSON object. */
export type FindValue = (name: string) => unknown;
type Convert = (value: unknown, options: TimeOptions) => unknown;

type Converters = Readonly<Record<string, Convert>>;

/** Converts cells of a table, which are all text. */
const CELLS: Converters = {
  text: textOf,
  time: timeOf,
  date: (value) => readDay(textOf(value) ?? ''),
  number: (value) => cellNumber(textOf(value)),
  integer: (value) => cellInteger(textOf(value)),
  flag: flagOf,
  list: (value) => someOf(splitList(textOf(value))),
};

/** Converts JSON values. A value of the wrong type is left out. */
const JSON_VALUES: Converters = {
  text: stringOf,
  time: (value, options) => timeOf(stringOf(value), options),
  integer: roundedOf,
  flag: booleanOf,
  list: (value) => someOf(listOf(value).map(stringOf)),
};

/** Returns a function that reads the fields of a stream from table columns. The declaration names the columns. */
export const createFieldReader = (source: SourceDeclaration, stream: string) =>
  createReader(source, stream, CELLS);

/** Like `createFieldReader`, for JSON objects. */
export const createJsonFieldReader = (source: SourceDeclaration, stream: string) =>
  createReader(source, stream, JSON_VALUES);

function createReader(source: SourceDeclaration, stream: string, converters: Converters) {
  const columns = listColumns(source.streams.find(({ name }) => name === stream)).map(
    ({ field, type, names }) => ({ field, names, convert: converters[type.split(' ')[0] ?? ''] ?? stringOf }),
  );
  return (find: FindValue, options: TimeOptions = { timeZone: 'UTC' }): JsonObject => {
    const data: JsonObject = {};
    for (const { field, names, convert } of columns)
      for (const name of names) data[field] ??= convert(find(name), options);
    return data;
  };
}

/** Finds values by path: `license.name`. */
export const findIn =
  (item: JsonObject): FindValue =>
  (path) =>
    path.split('.').reduce<unknown>((value, key) => objectOf(value)[key], item);
