/** A JSON object, as far as one is there: importers look fields up in it and check each. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a field, or an empty one. */
export function objectAt(value: unknown, name: string): JsonObject {
  const inner = isObject(value) ? value[name] : undefined;
  return isObject(inner) ? inner : {};
}

/** The list at a field, or an empty one. */
export function listAt(value: unknown, name: string): readonly unknown[] {
  const inner = isObject(value) ? value[name] : undefined;
  return Array.isArray(inner) ? inner : [];
}

/** The first of the fields that holds a text with something in it. */
export function textAt(value: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = value[name];
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return undefined;
}

function numberAt(value: JsonObject, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const found = value[name];
    const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  return undefined;
}

export function integerAt(value: JsonObject, ...names: readonly string[]): number | undefined {
  const number = numberAt(value, ...names);
  return number === undefined ? undefined : Math.round(number);
}

export function flagAt(value: JsonObject, name: string): boolean | undefined {
  const found = value[name];
  return typeof found === 'boolean' ? found : undefined;
}
