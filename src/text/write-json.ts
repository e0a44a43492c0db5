/** The JSON of rows, created when they were measured. A WeakMap drops it with the row. */
const writtenRows = new WeakMap<object, string>();

/** Caches the JSON of a row for `writeJson`. The row must not change afterwards. */
export function cacheJson(row: object, json: string): void {
  writtenRows.set(row, json);
}

/** Returns JSON.stringify(body). Uses the cached JSON of rows in lists. */
export function writeJson(body: object): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const json = Array.isArray(value) ? `[${value.map(writeItem).join(',')}]` : JSON.stringify(value);
    if (json !== undefined) parts.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${parts.join(',')}}`;
}

function writeItem(item: unknown): string {
  const written = typeof item === 'object' && item !== null ? writtenRows.get(item) : undefined;
  return written ?? JSON.stringify(item) ?? 'null';
}
