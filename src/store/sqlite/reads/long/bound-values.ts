import { beginningOf, longTypeOf } from '../../large/long-value.ts';
import { holdLong, type LongValue } from './long-text.ts';

/** The granted part of a record, with the beginnings of its long values. */
export interface BoundRecord {
  readonly record: Record<string, unknown>;
  /** The long values themselves, by field. Absent where there are none. */
  readonly long?: ReadonlyMap<string, LongValue>;
}

/** Each long value is replaced by its beginning. What a value becomes depends on itself alone. */
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
