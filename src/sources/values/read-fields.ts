import { readDay, readEpoch, type TimeOptions } from '../../import/read/read-time.ts';
import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { listColumns } from '../declare.ts';
import { flagOf, type JsonObject, objectOf, someOf, textOf, textsOf, timeOf } from './json.ts';
import { cellInteger, cellNumber } from './table-cells.ts';
import { splitList } from './words.ts';

/** Returns the value of a column, or of a path in a JSON object. */
export type FindValue = (name: string) => unknown;
type Convert = (value: unknown, options: TimeOptions) => unknown;

const CONVERT: Readonly<Record<string, Convert>> = {
  text: textOf,
  time: (value, options) => (typeof value === 'number' ? readEpoch(value) : timeOf(value, options)),
  date: (value) => readDay(textOf(value) ?? ''),
  number: (value) => cellNumber(textOf(value)),
  integer: (value) => cellInteger(textOf(value)),
  flag: flagOf,
  list: (value) => (Array.isArray(value) ? textsOf(value) : someOf(splitList(textOf(value)))),
};

/** Returns a function that reads the fields of a stream whose declaration names their columns. */
export function createFieldReader(source: SourceDeclaration, stream: string) {
  const columns = listColumns(source.streams.find(({ name }) => name === stream)).map(
    ({ field, type, names }) => ({ field, names, convert: CONVERT[type.split(' ')[0] ?? ''] ?? textOf }),
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
