import type Database from 'better-sqlite3';
import type { Metric } from '../../../../record-reads.ts';
import type { Value } from '../../../../values.ts';
import { throwIfInterrupted } from '../../../interrupt.ts';
import { type Accumulator, checkNumber, createAccumulator, ValueBudget } from './accumulators.ts';

/** The number of groups, and of distinct values in them, that a table may hold: 15 to 30 MB. */
export const MAX_HASHED_VALUES = 50_000;
/** The number of rows between two checks for an interrupt. */
const INTERRUPT_CHECK_ROWS = 4_096;

export interface HashedGroup {
  readonly by: readonly Value[];
  readonly rows: Accumulator;
}

/** Groups of rows by the values of one or two columns. */
export class GroupTable {
  readonly metric: Metric;
  readonly #budget: ValueBudget;
  readonly #groups = new Map<Value, HashedGroup | Map<Value, HashedGroup>>();
  #unchecked = 0;

  constructor(metric: Metric, budget = new ValueBudget(MAX_HASHED_VALUES)) {
    this.metric = metric;
    this.#budget = budget;
  }

  addRow(value: Value, g0: Value, g1?: Value): void {
    this.#unchecked += 1;
    if (this.#unchecked === INTERRUPT_CHECK_ROWS) {
      this.#unchecked = 0;
      throwIfInterrupted();
    }
    this.#find(g0, g1).rows.add(value);
  }

  /** Adds the rows of a group of another table. */
  addGroup([g0 = null, g1]: readonly Value[], rows: Accumulator): void {
    this.#find(g0, g1).rows.merge(rows);
  }

  *[Symbol.iterator](): Generator<HashedGroup> {
    for (const one of this.#groups.values()) {
      if (one instanceof Map) yield* one.values();
      else yield one;
    }
  }

  /** Returns an accumulator of the same metric without rows. */
  createEmpty(): Accumulator {
    return createAccumulator(this.metric, new ValueBudget(MAX_HASHED_VALUES));
  }

  #find(g0: Value, g1: Value | undefined): HashedGroup {
    if (g1 === undefined)
      return (this.#groups.get(g0) as HashedGroup | undefined) ?? this.#add(this.#groups, g0, [g0]);
    // The second column comes first: the first is often a time, of which there are many.
    let inner = this.#groups.get(g1) as Map<Value, HashedGroup> | undefined;
    if (inner === undefined) {
      checkNumber(g1);
      inner = new Map();
      this.#groups.set(g1, inner);
    }
    return inner.get(g0) ?? this.#add(inner, g0, [g0, g1]);
  }

  #add(groups: Map<Value, unknown>, key: Value, by: readonly Value[]): HashedGroup {
    checkNumber(key);
    this.#budget.takeOne();
    const group = { by, rows: createAccumulator(this.metric, this.#budget) };
    groups.set(key, group);
    return group;
  }
}

/** Filled tables by ID. SQL functions cannot return objects, so a statement returns the ID of its table. */
const filledTables = new Map<number, GroupTable>();
let lastId = 0;

/** Removes and returns the table that a statement has filled. */
export function takeTable(id: number): GroupTable {
  const table = filledTables.get(id);
  filledTables.delete(id);
  if (table === undefined) throw new Error('no statement has filled this table');
  return table;
}

/** Returns the function that groups rows for a metric. Its arguments are a value and one or two columns. */
export function groupFunction(metric: Metric): string {
  return `group_${metric}`;
}

const METRICS: readonly Metric[] = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max'];

/** Registers functions that group the rows of a statement in a hash table: SQLite itself sorts rows to group them. */
export function registerGroupTables(database: Database.Database): void {
  for (const metric of METRICS) {
    const shared = {
      deterministic: false,
      start: () => new GroupTable(metric),
      result: (table: GroupTable) => {
        lastId += 1;
        filledTables.set(lastId, table);
        return lastId;
      },
    };
    const name = groupFunction(metric);
    database.aggregate(name, {
      ...shared,
      step: (table: GroupTable, value?: unknown, g0?: unknown) => table.addRow(value as Value, g0 as Value),
    });
    database.aggregate(name, {
      ...shared,
      step: (table: GroupTable, value?: unknown, g0?: unknown, g1?: unknown) =>
        table.addRow(value as Value, g0 as Value, g1 as Value),
    });
  }
}
