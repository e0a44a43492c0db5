import { LruCache } from '../../limits/cache.ts';
import type { Field } from '../../schema-index/field.ts';
import { escapeText } from '../../text/escape-text.ts';

const formatters = new LruCache<string, Intl.NumberFormat>(200);

/**
 * A number with what it is counted in, as the same record says: money with its currency and as many digits as that
 * has, anything else with its unit. Null where the record does not say, or the value is no number.
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
  return findMoney(name)?.format(value) ?? `${plain.format(value)} ${escapeText(name)}`;
}

const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** Currencies are three capital letters; a unit of measure is hardly ever that. */
function findMoney(code: string): Intl.NumberFormat | undefined {
  if (!/^[A-Z]{3}$/.test(code)) return undefined;
  // In English every sign has one meaning: dollars that are not those of the United States are A$, CA$ and so on.
  return formatters.getOrSet(code, () => new Intl.NumberFormat('en', { style: 'currency', currency: code }));
}
