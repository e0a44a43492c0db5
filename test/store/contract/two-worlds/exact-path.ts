const LISTS = new Set(['fields', 'expand', 'streams', 'group_by']);
const NAMES = new Set(['connection_id', 'stream']);
const NUMBERS = new Set(['limit', 'offset']);
const ends: Record<string, string> = { query_records: '/records', aggregate: '/aggregate' };

/** The address at which REST answers exactly this call, if a query string can say all of it. */
export function findExactPath(tool: string, args: Record<string, unknown>): string | undefined {
  const end = ends[tool];
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || (name === 'stream' && end !== undefined)) continue;
    const text = writeValue(name, value);
    if (text === undefined) return undefined;
    query.set(name, text);
  }
  if (tool === 'search' || tool === 'schema') return `/v1/${tool}?${query}`;
  const { stream } = args;
  if (end === undefined || !isPlainText(stream) || stream === '') return undefined;
  return `/v1/streams/${encodeURIComponent(stream)}${end}?${query}`;
}

function writeValue(name: string, value: unknown): string | undefined {
  if (name === 'filter') return JSON.stringify(value);
  if (NUMBERS.has(name)) return typeof value === 'number' ? String(value) : undefined;
  if (LISTS.has(name) || (NAMES.has(name) && Array.isArray(value))) return writeList(name, value);
  return isPlainText(value) && !(NAMES.has(name) && value.includes(',')) ? value : undefined;
}

/** Several names by comma. One alone reads as a name where a name may stand, and as a list where only lists do. */
function writeList(name: string, value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length < (NAMES.has(name) ? 2 : 1)) return undefined;
  return value.every((one) => isPlainText(one) && !one.includes(',')) ? value.join(',') : undefined;
}

/** Half a character does not survive in an address. */
function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}
