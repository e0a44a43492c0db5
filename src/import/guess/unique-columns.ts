import type { Scratch } from '../../store/sqlite/scratch.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { AnyRow } from './guess-stream.ts';

export const ID_NAME = /^(_?id|uuid|guid|key|rowid|.*[ _-](id|uuid)|.*[a-z]Id)$/;
const MAX_CANDIDATES = 3;
const LONGEST_ID = 200;
/** A column that repeats itself does so early: so many of its first values are compared at once. */
const MAX_FIRST = 2_000;
const MAX_OTHERS = 1_000;

interface Candidate {
  readonly number: number;
  readonly first: Set<string>;
  isDropped: boolean;
}

/**
 * Which columns named like ids really tell all rows apart. What was seen lies on the disk, in the order it came, and is
 * sorted once at the end: looking for each value among those before it costs the more the longer the file is.
 */
export class UniqueColumns {
  readonly #scratch: Scratch;
  readonly #table: string;
  readonly #add: (column: number, value: string) => unknown;
  readonly #candidates = new Map<string, Candidate>();
  /** Columns named like something else, so that a name is looked at once and not in every row. */
  readonly #others = new Set<string>();

  /** `number` tells it from others that share the scratch database. */
  constructor(scratch: Scratch, number: number) {
    this.#scratch = scratch;
    this.#table = `ids_${number}`;
    scratch.raw.exec(`create table ${this.#table} (col integer, value text)`);
    const insert = scratch.raw.prepare(`insert into ${this.#table} values (?, ?)`);
    this.#add = (column, value) => insert.run(column, value);
  }

  see(row: AnyRow, columns: readonly string[]): void {
    for (const column of columns) {
      const candidate = this.#candidates.get(column) ?? this.#consider(column);
      if (candidate === undefined || candidate.isDropped) continue;
      const value = row[column];
      const isUsable =
        (typeof value === 'string' && value !== '' && value.length <= LONGEST_ID) ||
        typeof value === 'number';
      candidate.isDropped = !isUsable || !this.#keep(candidate, String(value));
    }
  }

  find(
    profiles: ReadonlyMap<string, ColumnProfile>,
    rows: number,
    outer?: ReadonlySet<string>,
  ): readonly string[] | undefined {
    if (rows === 0) return undefined;
    const isBest = (column: string) => Number(/^(_?id|uuid|guid)$/i.test(column));
    const best = [...this.#candidates]
      .filter(([column, { isDropped }]) => {
        const profile = profiles.get(column);
        const kind = profile?.kind();
        return (
          !isDropped &&
          !outer?.has(column) &&
          profile?.isEverywhere &&
          (kind === 'text' || kind === 'integer')
        );
      })
      .sort(([a], [b]) => isBest(b) - isBest(a))
      .find(([, { number }]) => !this.#hasRepeated(number));
    return best === undefined ? undefined : [best[0]];
  }

  #consider(column: string): Candidate | undefined {
    if (this.#candidates.size >= MAX_CANDIDATES || this.#others.has(column)) return undefined;
    if (!ID_NAME.test(column) && !ID_NAME.test(column.toLowerCase())) {
      if (this.#others.size < MAX_OTHERS) this.#others.add(column);
      return undefined;
    }
    const candidate = { number: this.#candidates.size, first: new Set<string>(), isDropped: false };
    this.#candidates.set(column, candidate);
    return candidate;
  }

  /** Whether it is new, as far as that is known yet. */
  #keep({ number, first }: Candidate, value: string): boolean {
    if (first.has(value)) return false;
    if (first.size < MAX_FIRST) first.add(value);
    this.#add(number, value);
    return true;
  }

  #hasRepeated(column: number): boolean {
    const repeated = `select 1 from ${this.#table} where col = ? group by value having count(*) > 1 limit 1`;
    return this.#scratch.raw.prepare(repeated).get(column) !== undefined;
  }
}
