import { toUnits } from '../../../../exact-sum.ts';
import type { Metric, Total } from '../../../../record-reads.ts';
import { roundExact, roundNear } from '../../../../round-sum.ts';
import { compareValues, type Value } from '../../../../values.ts';

/** Thrown inside a statement whose rows cannot be grouped here: they need too much memory, or 64-bit integers. */
export class NotHashable extends Error {}

/** Collects the rows of one group. */
export interface Accumulator {
  /** The number of rows. */
  records: number;
  add(value: Value): void;
  merge(other: Accumulator): void;
  total(): Total['value'];
  /** Returns the value that groups are ordered by: the shown value, or undefined for a sum whose rounding is open. */
  rank(): Value | undefined;
}

/** Limits the number of values that groups hold. */
export class ValueBudget {
  #left: number;

  constructor(left: number) {
    this.#left = left;
  }

  takeOne(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new NotHashable('too many values');
  }
}

/** SQLite hands over an integer beyond 2^53 as the nearest number, which is another value. */
export function checkNumber(value: Value): void {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new NotHashable('a large number');
}

export function createAccumulator(metric: Metric, budget: ValueBudget): Accumulator {
  switch (metric) {
    case 'count':
      return new CountAccumulator();
    case 'count_distinct':
      return new DistinctAccumulator(budget);
    case 'sum':
    case 'avg':
      return new SumAccumulator(metric === 'avg');
    case 'min':
    case 'max':
      return new ExtremeAccumulator(metric === 'max' ? 1 : -1);
  }
}

class CountAccumulator implements Accumulator {
  records = 0;

  add(): void {
    this.records += 1;
  }

  merge(other: CountAccumulator): void {
    this.records += other.records;
  }

  total(): number {
    return this.records;
  }

  rank(): number {
    return this.records;
  }
}

class DistinctAccumulator implements Accumulator {
  records = 0;
  readonly #values = new Set<Value>();
  readonly #budget: ValueBudget;

  constructor(budget: ValueBudget) {
    this.#budget = budget;
  }

  add(value: Value): void {
    this.records += 1;
    if (value !== null) this.#insert(value);
  }

  merge(other: DistinctAccumulator): void {
    this.records += other.records;
    for (const value of other.#values) this.#insert(value);
  }

  total(): number {
    return this.#values.size;
  }

  rank(): number {
    return this.#values.size;
  }

  #insert(value: Value): void {
    if (this.#values.has(value)) return;
    checkNumber(value);
    this.#budget.takeOne();
    this.#values.add(value);
  }
}

class ExtremeAccumulator implements Accumulator {
  records = 0;
  #value: Value = null;
  readonly #sign: 1 | -1;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  add(value: Value): void {
    this.records += 1;
    this.#compare(value);
  }

  merge(other: ExtremeAccumulator): void {
    this.records += other.records;
    this.#compare(other.#value);
  }

  total(): Value {
    return this.#value;
  }

  rank(): Value {
    return this.#value;
  }

  #compare(value: Value): void {
    if (value === null) return;
    if (this.#value !== null && compareValues(value, this.#value) * this.#sign <= 0) return;
    checkNumber(value);
    this.#value = value;
  }
}

/**
 * Adds numbers in a float and its rounding errors in a second float. Together they are the exact sum, unless the second float
 * has to round too, which is rare. Then they are as near as SQLite's own sum.
 */
class SumAccumulator implements Accumulator {
  records = 0;
  #counted = 0;
  #sum = 0;
  #lost = 0;
  /** The sum of absolute values. */
  #size = 0;
  #isExact = true;
  readonly #isMean: boolean;

  constructor(isMean: boolean) {
    this.#isMean = isMean;
  }

  add(value: Value): void {
    this.records += 1;
    if (value === null) return;
    // Digits beyond 64 bits are stored as text.
    if (typeof value !== 'number') throw new NotHashable('a text');
    checkNumber(value);
    this.#counted += 1;
    this.#size += Math.abs(value);
    this.#addFloat(value);
  }

  merge(other: SumAccumulator): void {
    this.records += other.records;
    this.#counted += other.#counted;
    this.#size += other.#size;
    this.#isExact &&= other.#isExact;
    this.#addFloat(other.#sum);
    this.#addLost(other.#lost);
  }

  total(): Total['value'] {
    const counted = this.#counted;
    return this.#isExact
      ? { units: this.#units(), counted }
      : { near: this.#sum + this.#lost, size: this.#size, counted };
  }

  rank(): number | null | undefined {
    const divisor = this.#isMean ? this.#counted : 1;
    if (divisor === 0) return null;
    const near = roundNear(this.#sum + this.#lost, this.#size, divisor);
    return near ?? (this.#isExact ? roundExact(this.#units(), divisor) : undefined) ?? undefined;
  }

  #units(): bigint {
    return toUnits(this.#sum) + toUnits(this.#lost);
  }

  #addFloat(value: number): void {
    const before = this.#sum;
    const sum = before + value;
    const added = sum - before;
    this.#sum = sum;
    this.#addLost(before - (sum - added) + (value - added));
  }

  #addLost(value: number): void {
    if (value === 0) return;
    const before = this.#lost;
    const lost = before + value;
    const added = lost - before;
    this.#lost = lost;
    if (before - (lost - added) + (value - added) !== 0) this.#isExact = false;
  }
}
