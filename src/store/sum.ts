import { fromUnits, readUnits, toUnits } from './exact-sum.ts';
import { roundExact, roundNear } from './round-sum.ts';

/**
 * A sum of values and, for a mean, their count. `near` is a float sum and `size` the sum of absolute values, which bounds
 * its error. `units` is the exact sum. Both show the same number: a float sum is shown only if its rounding is certain.
 */
export type Sum =
  | { readonly near: number; readonly size: number; readonly counted: number }
  | { readonly units: bigint; readonly counted: number };

/** A sum as a row of a database. */
export interface SumRow {
  near?: number;
  size?: number;
  units?: string;
  counted?: number;
}

/** Reads the sum of a row. A float sum of size 0 is exact. */
export function readSum({ near = 0, size = 0, units, counted = 0 }: SumRow): Sum {
  if (units !== undefined) return { units: readUnits(units), counted };
  return size === 0 ? { units: toUnits(near), counted } : { near, size, counted };
}

export function isSum(value: unknown): value is Sum {
  return typeof value === 'object' && value !== null && 'counted' in value;
}

/** Returns the sum as shown. Undefined if the rounding of a float sum is uncertain. */
export function formatSum(sum: Sum): number | undefined {
  return ('units' in sum ? roundExact(sum.units) : roundNear(sum.near, sum.size)) ?? undefined;
}

/** Returns the mean as shown. Null if there are no values. */
export function formatMean(sum: Sum): number | null | undefined {
  if (sum.counted === 0) return null;
  const { counted } = sum;
  const mean = 'units' in sum ? roundExact(sum.units, counted) : roundNear(sum.near, sum.size, counted);
  return mean ?? undefined;
}

/** Adds sums of different records. */
export function addSums(sums: readonly Sum[]): Sum {
  const counted = sums.reduce((all, sum) => all + sum.counted, 0);
  const units = sums.reduce((all, sum) => all + unitsOf(sum), 0n);
  if (sums.every((sum) => 'units' in sum)) return { units, counted };
  const size = sums.reduce(
    (all, sum) => all + ('size' in sum ? sum.size : Math.abs(fromUnits(sum.units))),
    0,
  );
  return { near: fromUnits(units), size, counted };
}

/** Subtracts sums that are part of a sum. */
export function subtractSums(whole: Sum, parts: readonly Sum[]): Sum {
  const counted = parts.reduce((left, part) => left - part.counted, whole.counted);
  const units = parts.reduce((left, part) => left - unitsOf(part), unitsOf(whole));
  return 'units' in whole ? { units, counted } : { near: fromUnits(units), size: whole.size, counted };
}

function unitsOf(sum: Sum): bigint {
  return 'units' in sum ? sum.units : Number.isFinite(sum.near) ? toUnits(sum.near) : 0n;
}
