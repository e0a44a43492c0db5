/**
 * PostgreSQL refuses to read a JSON text with an escaped U+0000. Stored JSON spells the escapes of U+0000 to U+0002 as
 * pairs, so that a value in stored JSON equals what `encodeText` returns for the value.
 */
const pairs: Readonly<Record<string, string>> = {
  '\\u0000': '\\u0001\\u0001',
  '\\u0001': '\\u0001\\u0002',
  '\\u0002': '\\u0002\\u0002',
};
const originals = new Map(Object.entries(pairs).map(([original, pair]) => [pair, original]));

/** Returns a JSON text as it is stored. */
export function encodeJson(json: string): string {
  // Every other escape is matched too, so that the second backslash of `\\` never starts a match.
  return hasControls(json) ? json.replace(/\\u000[0-2]|\\./g, (found) => pairs[found] ?? found) : json;
}

/** Returns a stored JSON text as it was. */
export function decodeJson(stored: string): string {
  return hasControls(stored)
    ? stored.replace(/\\u000[12]\\u000[12]|\\./g, (found) => originals.get(found) ?? found)
    : stored;
}

function hasControls(json: string): boolean {
  return json.includes('\\u000');
}
