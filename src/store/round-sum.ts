import { fromUnits } from './exact-sum.ts';

/** Rounds a sum to at most 15 digits and 6 decimals, without the noise of binary fractions. */
function roundSum(value: number): number {
  const size = Math.abs(value);
  if (size < 1e9) return Math.round(value * 1e6) / 1e6;
  return size < 1e15 ? Number(value.toPrecision(15)) : value;
}

/**
 * A store compensates for rounding, so that its sum of up to 2^26 values is off by less than 2^-52 of the sum of their
 * sizes. Four times that also covers sums and differences of such sums.
 */
const SPREAD = 2 ** -50;

/** Rounds a near sum, or with a divisor a mean. Null if the exact sum could round to another number. */
export function roundNear(near: number, size: number, divisor = 1): number | null {
  const spread = size * SPREAD;
  const [low, high] = [roundSum((near - spread) / divisor), roundSum((near + spread) / divisor)];
  return low === high ? low : null;
}

/** Rounds an exact sum in units, or with a divisor a mean. A mean may be finite where its sum is not. */
export function roundExact(units: bigint, divisor = 1): number | null {
  if (divisor === 0) return null;
  const sum = fromUnits(units);
  return roundSum(Number.isFinite(sum) ? sum / divisor : fromUnits(units / BigInt(divisor)));
}
