/**
 * Sums of floats depend on the order in which they are added. Rows are stored in order of time, which may be hidden, so
 * a sum is computed exactly wherever the rounding could show. Every float is a multiple of 2^-1074, the unit used here.
 */
const MAX_BITS = 64n;

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

/** Converts a float to units. */
export function toUnits(value: number): bigint {
  float[0] = value;
  const word = bits[0] as bigint;
  const exponent = (word >> 52n) & 0x7ffn;
  const fraction = word & 0xf_ffff_ffff_ffffn;
  const units = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -units : units;
}

/** Converts units to the nearest float, rounding ties to even. Infinite beyond the largest float. */
export function fromUnits(units: bigint): number {
  if (units < 0n) return -fromUnits(-units);
  const length = BigInt(units.toString(16).length * 4);
  const shift = length > MAX_BITS ? length - MAX_BITS : 0n;
  const kept = units >> shift;
  // The lowest bit stands for all bits that are cut off, so that the conversion rounds only once.
  const rounded = Number(kept << shift === units ? kept : kept | 1n);
  return rounded * 2 ** (Number(shift) - 1074);
}

/** From here on, adding parts could exceed the largest float. */
const HUGE = 2 ** 960;

export interface ExactSum {
  /** Floats that do not overlap and add up to the sum. */
  readonly parts: number[];
  huge: bigint;
}

/** Adds a float by Shewchuk's algorithm: the rounding error of each addition becomes a part. */
function addFloat(sum: ExactSum, value: number): void {
  if (Math.abs(value) >= HUGE) {
    sum.huge += toUnits(value);
    return;
  }
  const { parts } = sum;
  let added = value;
  let count = 0;
  for (const part of parts) {
    const [large, small] = Math.abs(added) < Math.abs(part) ? [part, added] : [added, part];
    added = large + small;
    const lost = small - (added - large);
    if (lost !== 0) parts[count++] = lost;
  }
  parts.length = count;
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

/** Formats a sum in units as hexadecimal text, which is much faster to convert than decimal. */
export function writeSum({ parts, huge }: ExactSum): string {
  return parts.reduce((units, part) => units + toUnits(part), huge).toString(16);
}

/** Parses the text of `writeSum`. */
export function readUnits(text: string): bigint {
  return text.startsWith('-') ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
}
