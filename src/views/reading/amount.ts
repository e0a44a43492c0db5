import { LruCache } from '../../limits/cache.ts';
import type { Field } from '../../schema-index/field.ts';
import { escapeText } from '../../text/escape-text.ts';

const formatters = new LruCache<string, Intl.NumberFormat>(200);

/**
 * Formats a number with the currency or unit from the same record. Returns null without a currency or unit.
 */
export function formatAmount(
  field: Pick<Field, 'unit'> | undefined,
  record: Readonly<Record<string, unknown>>,
  value: unknown,
): string | null {
  const unit = field?.unit === undefined ? undefined : record[field.unit];
  if (typeof unit !== 'string' || typeof value !== 'number' || !Number.isFinite(value)) return null;
  const name = unit.trim();
  if (name === '' || name.length > 20) return null;
  return findCurrencyFormat(name)?.format(value) ?? `${plainNumber.format(value)} ${escapeText(name)}`;
}

const plainNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** Currency codes are three capital letters; units rarely are. */
function findCurrencyFormat(code: string): Intl.NumberFormat | undefined {
  if (!/^[A-Z]{3}$/.test(code)) return undefined;
  // In English each symbol is unambiguous: other dollars are A$, CA$ and so on.
  return formatters.getOrSet(code, () => new Intl.NumberFormat('en', { style: 'currency', currency: code }));
}
