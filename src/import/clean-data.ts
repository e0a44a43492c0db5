/** Deeper values are cut off: no reader of ours goes further, and a parser may not come back from there. */
const MOST_DEPTH = 60;

/**
 * What an importer found as what JSON can hold: halves of characters replaced, endless numbers and absent values left
 * out. The values themselves are the file's and stay.
 */
export function cleanData(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return cleanObject(data, 0);
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const clean = cleanValue(inner, depth + 1);
    if (clean !== undefined && name !== '__proto__') result[wellFormed(name)] = clean;
  }
  return result;
}

function cleanValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return wellFormed(value);
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth > MOST_DEPTH) return undefined;
      if (Array.isArray(value)) return value.map((inner) => cleanValue(inner, depth + 1) ?? null);
      return cleanObject(value, depth);
    default:
      return undefined;
  }
}

function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
