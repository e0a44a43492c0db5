import { fromUnits, readUnits, toUnits } from './exact-sum.ts';
import { roundExact, roundNear } from './round-sum.ts';

/**
 * What values add up to, and for a mean how many they are: as the database adds, with the size of all that was added, or exact.
 * What is shown of either is the same, because a near one that leaves open what it rounds to is not shown.
 */
export type Sum =
  | { readonly near: number; readonly size: number; readonly counted: number }
  | { readonly units: bigint; readonly counted: number };

/** A row that holds a sum in the columns that read-aggregate.ts gives it. */
export interface SumRow {
  near?: number;
  size?: number;
  units?: string;
  counted?: number;
}

export function readSum({ near = 0, size = 0, units, counted = 0 }: SumRow): Sum {
  return units === undefined ? { near, size, counted } : { units: readUnits(units), counted };
}

export function isSum(value: unknown): value is Sum {
  return typeof value === 'object' && value !== null && 'counted' in value;
}

/** The sum as shown; undefined where only the exact one would tell. */
export function showSum(sum: Sum): number | undefined {
  return ('units' in sum ? roundExact(sum.units) : roundNear(sum.near, sum.size)) ?? undefined;
}

/** The mean likewise; null where there is nothing to take it of. */
export function showMean(sum: Sum): number | null | undefined {
  if (sum.counted === 0) return null;
  const { counted } = sum;
  const mean = 'units' in sum ? roundExact(sum.units, counted) : roundNear(sum.near, sum.size, counted);
  return mean ?? undefined;
}

/** Sums of different records as one. */
export function addSums(sums: readonly Sum[]): Sum {
  const counted = sums.reduce((all, sum) => all + sum.counted, 0);
  const units = sums.reduce((all, sum) => all + unitsOf(sum), 0n);
  if (sums.some((sum) => 'units' in sum)) return { units, counted };
  const size = sums.reduce((all, sum) => all + ('size' in sum ? sum.size : 0), 0);
  return { near: fromUnits(units), size, counted };
}

/** What is left of a sum without some that are part of it. */
export function withoutSums(whole: Sum, parts: readonly Sum[]): Sum {
  const counted = parts.reduce((left, part) => left - part.counted, whole.counted);
  const units = parts.reduce((left, part) => left - unitsOf(part), unitsOf(whole));
  return 'units' in whole ? { units, counted } : { near: fromUnits(units), size: whole.size, counted };
}

function unitsOf(sum: Sum): bigint {
  return 'units' in sum ? sum.units : Number.isFinite(sum.near) ? toUnits(sum.near) : 0n;
}
