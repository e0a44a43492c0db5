import type { ImportItem, InputFile } from '../../import/importer.ts';
import { readJsonParts } from '../../import/read/read-json.ts';
import { isObject, type JsonObject } from '../values/json.ts';

/** An element of a list, or the scalar values of an object outside of lists. */
export interface JsonItem {
  readonly kind: 'item';
  readonly names: readonly string[];
  /** The position in its list, from 1; undefined for the values of an object. */
  readonly number: number | undefined;
  readonly value: unknown;
}

type Found = JsonItem | Extract<ImportItem, { kind: 'problem' }>;

const MAX_DEPTH = 32;

/** Yields everything in a document, whatever its sections are called. Memory does not grow with its lists. */
export async function* readJsonItems(file: InputFile): AsyncGenerator<Found> {
  // Scalar values of objects that are too large to arrive whole.
  const scattered = new Map<string, { names: readonly string[]; value: JsonObject }>();
  for await (const parts of readJsonParts(file))
    for (const part of parts) {
      if (part.kind === 'problem') yield { ...part, file };
      if (part.kind !== 'element') continue;
      const key = part.path.at(-1);
      if (typeof key !== 'string' || isContainer(part.value)) yield* walk(part.path, part.value);
      else if (hasValue(key, part.value)) {
        const parentPath = part.path.slice(0, -1);
        const pathKey = JSON.stringify(parentPath);
        const object = scattered.get(pathKey) ?? { names: namesOf(parentPath), value: {} };
        object.value[key] = part.value;
        scattered.set(pathKey, object);
      }
    }
  for (const { names, value } of scattered.values()) yield { kind: 'item', names, number: undefined, value };
}

const isContainer = (value: unknown) => typeof value === 'object' && value !== null;
const hasValue = (key: string, value: unknown) => value !== null && value !== '' && key !== '__proto__';
const namesOf = (path: readonly (string | number)[]) => path.filter((key) => typeof key === 'string');

function* walk(path: readonly (string | number)[], value: unknown): Generator<JsonItem> {
  const last = path.at(-1);
  const names = namesOf(path);
  if (typeof last === 'number') yield { kind: 'item', names, number: last + 1, value };
  else if (Array.isArray(value))
    for (const [at, element] of value.entries()) yield* walk([...path, at], element);
  else if (isObject(value) && path.length >= MAX_DEPTH)
    yield { kind: 'item', names, number: undefined, value };
  else if (isObject(value)) {
    const entries = Object.entries(value);
    const scalars = entries.filter(([key, inner]) => !isContainer(inner) && hasValue(key, inner));
    if (scalars.length > 0)
      yield { kind: 'item', names, number: undefined, value: Object.fromEntries(scalars) };
    for (const [key, inner] of entries) if (isContainer(inner)) yield* walk([...path, key], inner);
  }
}
