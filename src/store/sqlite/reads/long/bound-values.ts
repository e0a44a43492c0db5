import type { BoundRecord, LongValue } from '../../../long-value.ts';
import { beginningOf, longTypeOf } from '../../large/long-value.ts';
import { holdLong } from './long-text.ts';

/** Replaces each long value by its beginning. What a value becomes depends on itself alone. */
export function boundValues(record: Record<string, unknown>): BoundRecord {
  const long = new Map<string, LongValue>();
  for (const name in record) {
    const value = record[name];
    const type = longTypeOf(value);
    if (type === undefined) continue;
    long.set(name, holdLong(value, type));
    record[name] = beginningOf(value, type);
  }
  return long.size === 0 ? { record } : { record, long };
}
