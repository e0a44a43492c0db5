import { type FieldKind, SLOT_COUNT } from '../scope.ts';
import type { Value } from '../values.ts';

/**
 * A value in two columns, ordered by number and then by text. A number or a text uses one column, and texts sort last, as in
 * SQLite. An integer beyond 2^53 uses both: the nearest float, and a text that orders integers with the same nearest float.
 */
export interface SlotValue {
  readonly n: number | null;
  readonly t: string | null;
}

export const slotNumbers: readonly number[] = Array.from({ length: SLOT_COUNT }, (_, slot) => slot);

const BIAS = 2n ** 63n;
/** The texts of floats outside the range of 64-bit integers. */
const [BELOW, ABOVE] = ['!', '~'];
const DIGITS = 20;

/** Returns a value as it is stored. Long texts must be shortened before, see `encodeSlot`. */
export function toSlot(value: Value): SlotValue {
  if (value === null) return { n: null, t: null };
  if (typeof value === 'string') return { n: null, t: value };
  const n = Number(value);
  return { n, t: isLargeInteger(n) ? orderText(value) : null };
}

/** Whether a number is beyond the integers that a float holds exactly. */
export function isLargeInteger(n: number): boolean {
  return Math.abs(n) > Number.MAX_SAFE_INTEGER;
}

function orderText(value: number | bigint): string {
  if (!Number.isFinite(Number(value))) return value < 0 ? BELOW : ABOVE;
  const integer = BigInt(value);
  if (integer <= -BIAS) return BELOW;
  return integer >= BIAS ? ABOVE : String(integer + BIAS).padStart(DIGITS, '0');
}

/** Returns the value of a slot. Integers beyond 2^53 are returned as 64-bit integers, other numbers as floats. */
export function fromSlot(kind: FieldKind | undefined, { n, t }: SlotValue): Value {
  if (n === null) return t;
  if (t === null || kind !== 'integer' || t === BELOW || t === ABOVE) return n;
  return BigInt(t) - BIAS;
}

/** Returns the value of a slot with integers beyond 2^53 as their digits, because JSON would round them. */
export function showSlot(kind: FieldKind | undefined, slot: SlotValue): Value {
  const value = fromSlot(kind, slot);
  return typeof value === 'bigint' ? String(value) : value;
}
