import { fromUnits } from './exact-sum.ts';

/** A sum as a person would write it down: without the noise of binary fractions, 15 digits and 6 decimals at most. */
function roundSum(value: number): number {
  const size = Math.abs(value);
  if (size < 1e9) return Math.round(value * 1e6) / 1e6;
  return size < 1e15 ? Number(value.toPrecision(15)) : value;
}

/**
 * The database adds with a second float for what is lost, so its sum is off by less than 2^-52 of what the sizes of
 * all summands come to, for up to 2^26 of them. Four times that also covers a sum of such sums, or one less others.
 */
const SPREAD = 2 ** -50;

/** A sum, or with a divisor a mean, as it is shown; null where the float leaves open what the exact one rounds to. */
export function roundNear(near: number, size: number, divisor = 1): number | null {
  const spread = size * SPREAD;
  const [low, high] = [roundSum((near - spread) / divisor), roundSum((near + spread) / divisor)];
  return low === high ? low : null;
}

/** The same of a sum that is exact, in units. A mean may be a float where its sum is none. */
export function roundExact(units: bigint, divisor = 1): number | null {
  if (divisor === 0) return null;
  const sum = fromUnits(units);
  return roundSum(Number.isFinite(sum) ? sum / divisor : fromUnits(units / BigInt(divisor)));
}
