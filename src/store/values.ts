/**
 * A field's value as it is compared: times as milliseconds, flags as 0 and 1, whole numbers beyond 2^53 as 64-bit
 * integers, or as their digits beyond 64 bits.
 */
export type Value = string | number | bigint | null;

/** The time of a record that has none. It sorts before every real time and is inside no window. */
export const NO_TIME = -9_007_199_254_740_991;

/** Merges rows of several streams in order. Ties are ordered by stream, then by key. */
export function mergeRows<T extends { key: string; value: Value }>(
  pages: readonly T[][],
  sort: { readonly direction: 'asc' | 'desc' },
): T[] {
  const ranked = pages.flatMap((rows, stream) => rows.map((row) => ({ row, stream })));
  ranked.sort((a, b) => {
    const order = compareValues(a.row.value, b.row.value) || 0;
    const sign = sort.direction === 'asc' ? 1 : -1;
    return sign * order || a.stream - b.stream || sign * compareText(a.row.key, b.row.key);
  });
  return ranked.map(({ row }) => row);
}

/** Compares values as a store orders them: missing values, then numbers, then texts. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1;
  return a < b ? -1 : Number(a > b);
}

/** Compares text by code point, as a store orders it. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rankUnit(left) - rankUnit(right);
  }
  return a.length - b.length;
}

/** Ranks surrogates, which encode higher code points, above all other units. */
function rankUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
