import { compareText } from './compare-text.ts';
import type { SlotValue } from './sqlite/tables.ts';

/** Puts rows of several streams in order; of equal values, those of the earlier stream come first, then by key. */
export function mergeRows<T extends { key: string; value: SlotValue }>(
  pages: readonly T[][],
  sort: { readonly direction: 'asc' | 'desc' },
): T[] {
  const ranked = pages.flatMap((rows, list) => rows.map((row) => ({ row, list })));
  ranked.sort((a, b) => {
    const order = compareValues(a.row.value, b.row.value) || 0;
    const sign = sort.direction === 'asc' ? 1 : -1;
    return sign * order || a.list - b.list || sign * compareText(a.row.key, b.row.key);
  });
  return ranked.map(({ row }) => row);
}

function compareValues(a: SlotValue, b: SlotValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1;
  return a < b ? -1 : Number(a > b);
}
