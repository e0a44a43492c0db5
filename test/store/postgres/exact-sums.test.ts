import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { addValue, readUnits, startSum, writeSum } from '../../../src/store/exact-sum.ts';
import type { PostgresDatabase } from '../../../src/store/postgres/database.ts';
import { addExactly } from '../../../src/store/postgres/reads/measures/exact-groups.ts';
import { toSlot } from '../../../src/store/postgres/slot-values.ts';
import { sql } from '../../../src/store/postgres/sql.ts';
import { openProcesses } from '../../support/postgres/open-processes.ts';

const LARGEST = '17976931348623158'.padEnd(309, '0');

/** Values as slots hold them: floats, 64-bit integers, and the digits of larger integers. */
const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e-300, max: 1e-300, noNaN: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n }).map((digits) => String(digits)),
  fc.constantFrom(null, 0, -0, 5e-324, 1.7976931348623157e308, 9.3e18, -9.3e18, LARGEST, `-${LARGEST}`),
);

describe('an exact sum', () => {
  let db: PostgresDatabase;
  beforeEach(async () => {
    const [store] = await openProcesses(1);
    db = (store as Awaited<ReturnType<typeof openProcesses>>[0]).databases.reads;
  });

  const addUp = async (values: readonly (string | number | bigint | null)[]) => {
    const slots = values.map(toSlot);
    const rows = sql`select * from unnest(${slots.map(({ n }) => n)}::float8[],
      ${slots.map(({ t }) => t)}::text[], ${values.map((_, at) => at % 2)}::float8[]) as a (vn, vt, g0n),
      lateral (select null::text as g0t) as g`;
    return addExactly(db, rows, ['g0']);
  };

  it('is that of adding every value here, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 40 }), async (values) => {
        const expected = [0, 1].flatMap((group) => {
          const own = values.filter((_, at) => at % 2 === group);
          const sum = startSum();
          for (const one of own) if (one !== null) addValue(sum, one);
          const counted = own.filter((one) => one !== null).length;
          return own.length === 0 ? [] : [{ units: readUnits(writeSum(sum)), counted, records: own.length }];
        });
        const found = (await addUp(values))
          .sort((a, b) => Number(a.row.g0n) - Number(b.row.g0n))
          .map(({ units, counted, records }) => ({ units, counted, records }));
        expect(found).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('needs few rows, however many values there are', async () => {
    const values = Array.from({ length: 20_000 }, (_, at) => at / 100);
    let rows = 0;
    const counting: PostgresDatabase = {
      ...db,
      async query<Row extends object>(statement: Parameters<PostgresDatabase['query']>[0]) {
        const found = await db.query<Row>(statement);
        rows += found.length;
        return found;
      },
    };
    const list = sql`select *, null::text as vt from unnest(${values}::float8[]) as a (vn)`;
    const [group] = await addExactly(counting, list, []);
    expect(group?.records).toBe(values.length);
    expect(rows).toBeLessThan(30);
  });
});
