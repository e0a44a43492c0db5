import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromUnits, readUnits, toUnits } from '../../../src/store/exact-sum.ts';
import { roundExact, roundNear } from '../../../src/store/round-sum.ts';
import { registerSums } from '../../../src/store/sqlite/sqlite.ts';

const database = new Database(':memory:');
registerSums(database);
database.exec('create table numbers (value)');
// Bound and not written out: reading digits rounds too.
const insert = database.prepare('insert into numbers values (?)');
const select = database.prepare(
  'select total(value) as near, total(abs(value)) as size, exact_sum(value) as units from numbers',
);
function add(values: readonly number[]): { near: number; size: number; units: string } {
  database.exec('delete from numbers');
  for (const value of values) insert.run(value);
  return select.get() as { near: number; size: number; units: string };
}

const floats = fc.double({ noNaN: true, noDefaultInfinity: true });
const money = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100);

describe('exact_sum', () => {
  it('adds whatever comes, without rounding', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(floats, money)), (values) => {
        expect(readUnits(add(values).units)).toBe(values.reduce((sum, value) => sum + toUnits(value), 0n));
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('is rounded once, to the nearest float', () => {
    fc.assert(
      fc.property(floats, (value) => {
        expect(fromUnits(toUnits(value))).toBe(value + 0);
      }),
      { numRuns: 2_000, seed: 1 },
    );
    const one = toUnits(1);
    // Half way between two floats the even one, and a trace more is more.
    expect(fromUnits(toUnits(2 ** 53) + one)).toBe(2 ** 53);
    expect(fromUnits(toUnits(2 ** 53) + one + 1n)).toBe(2 ** 53 + 2);
    expect(fromUnits(toUnits(2 ** 53) + 3n * one)).toBe(2 ** 53 + 4);
    expect(fromUnits(2n * toUnits(Number.MAX_VALUE))).toBe(Infinity);
    expect(fromUnits(-2n * toUnits(Number.MAX_VALUE))).toBe(-Infinity);
  });
});

describe("the database's own sum", () => {
  it('shows what the exact one shows, or leaves it open', () => {
    let known = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(money, floats, money), { maxLength: 60 }), (values) => {
        const { near, size, units } = add(values);
        const shown = roundNear(near, size);
        if (shown === null) return;
        known += 1;
        expect(shown + 0).toBe((roundExact(readUnits(units)) as number) + 0);
      }),
      { numRuns: 1_000, seed: 1 },
    );
    expect(known).toBeGreaterThan(50);
  });

  it('is enough for money', () => {
    fc.assert(
      fc.property(fc.array(money, { maxLength: 200 }), (values) => {
        const { near, size } = add(values);
        expect(roundNear(near, size)).not.toBe(null);
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
