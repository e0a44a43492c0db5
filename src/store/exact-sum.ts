/**
 * Adding floats rounds, and what it comes to depends on the order. Rows lie in order of time, which a reader may not
 * be granted; so what they add up to is worked out exactly wherever the rounding could show.
 *
 * Every float is a whole number of the smallest one, 2^-1074. In these units sums are exact.
 */
const BITS_KEPT = 64n;

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

export function toUnits(value: number): bigint {
  float[0] = value;
  const word = bits[0] as bigint;
  const exponent = (word >> 52n) & 0x7ffn;
  const fraction = word & 0xf_ffff_ffff_ffffn;
  const units = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -units : units;
}

/** The nearest float, of two the even one; infinite beyond the largest. */
export function fromUnits(units: bigint): number {
  if (units < 0n) return -fromUnits(-units);
  const length = BigInt(units.toString(16).length * 4);
  const shift = length > BITS_KEPT ? length - BITS_KEPT : 0n;
  const kept = units >> shift;
  // One bit stands for all that was cut off, so that rounding to a float is the only rounding.
  const rounded = Number(kept << shift === units ? kept : kept | 1n);
  return rounded * 2 ** (Number(shift) - 1074);
}

/** From here on, adding parts could run over the largest float. */
const HUGE = 2 ** 960;

export interface ExactSum {
  /** Floats that do not overlap and together are the sum so far. */
  readonly parts: number[];
  huge: bigint;
}

/** Shewchuk's way: what one addition rounds off is kept as a part of its own. */
function addFloat(sum: ExactSum, value: number): void {
  if (Math.abs(value) >= HUGE) {
    sum.huge += toUnits(value);
    return;
  }
  const { parts } = sum;
  let added = value;
  let kept = 0;
  for (const part of parts) {
    const [large, small] = Math.abs(added) < Math.abs(part) ? [part, added] : [added, part];
    added = large + small;
    const lost = small - (added - large);
    if (lost !== 0) parts[kept++] = lost;
  }
  parts.length = kept;
  parts.push(added);
}

/** Adds a number, a 64-bit integer, or the digits of a larger one. */
export function addValue(sum: ExactSum, value: unknown): void {
  if (typeof value === 'number') addFloat(sum, value);
  else if (typeof value === 'bigint') {
    addFloat(sum, Number(value >> 32n) * 2 ** 32);
    addFloat(sum, Number(value & 0xffff_ffffn));
  }
  // Whole numbers beyond 64 bits are stored as their digits.
  else if (typeof value === 'string') addFloat(sum, Number(value));
}

export function startSum(): ExactSum {
  return { parts: [], huge: 0n };
}

/** The sum in units as text. In hexadecimal, because a decimal number of hundreds of digits takes long to write and to read. */
export function writeSum({ parts, huge }: ExactSum): string {
  return parts.reduce((units, part) => units + toUnits(part), huge).toString(16);
}

export function readUnits(text: string): bigint {
  return text.startsWith('-') ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
}
