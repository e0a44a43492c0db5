import type { Scratch } from '../../store/sqlite/scratch.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { AnyRow } from './guess-stream.ts';

export const ID_NAME = /^(_?id|uuid|guid|key|rowid|.*[ _-](id|uuid)|.*[a-z]Id)$/;
const MAX_CANDIDATES = 3;
const MAX_ID_CHARACTERS = 200;
/** Most repeating columns repeat within their first values, which are compared in memory. */
const MAX_FIRST_VALUES = 2_000;
const MAX_OTHER_COLUMNS = 1_000;

interface Candidate {
  readonly number: number;
  readonly first: Set<string>;
  isDropped: boolean;
}

/** Finds columns that are named like ids and are unique. Values are written to disk and sorted once at the end. */
export class UniqueColumns {
  readonly #scratch: Scratch;
  readonly #table: string;
  readonly #insert: (column: number, value: string) => unknown;
  readonly #candidates = new Map<string, Candidate>();
  /** Caches columns that are not named like ids. */
  readonly #others = new Set<string>();

  /** `number` is unique among those that share the scratch database. */
  constructor(scratch: Scratch, number: number) {
    this.#scratch = scratch;
    this.#table = `ids_${number}`;
    scratch.raw.exec(`create table ${this.#table} (col integer, value text)`);
    const insert = scratch.raw.prepare(`insert into ${this.#table} values (?, ?)`);
    this.#insert = (column, value) => insert.run(column, value);
  }

  add(row: AnyRow, columns: readonly string[]): void {
    for (const column of columns) {
      const candidate = this.#candidates.get(column) ?? this.#consider(column);
      if (candidate === undefined || candidate.isDropped) continue;
      const value = row[column];
      const isUsable =
        (typeof value === 'string' && value !== '' && value.length <= MAX_ID_CHARACTERS) ||
        typeof value === 'number';
      candidate.isDropped = !isUsable || !this.#addValue(candidate, String(value));
    }
  }

  find(
    profiles: ReadonlyMap<string, ColumnProfile>,
    rows: number,
    references?: ReadonlySet<string>,
  ): readonly string[] | undefined {
    if (rows === 0) return undefined;
    const isBest = (column: string) => Number(/^(_?id|uuid|guid)$/i.test(column));
    const best = [...this.#candidates]
      .filter(([column, { isDropped }]) => {
        const profile = profiles.get(column);
        const kind = profile?.kind();
        return (
          !isDropped &&
          !references?.has(column) &&
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
      if (this.#others.size < MAX_OTHER_COLUMNS) this.#others.add(column);
      return undefined;
    }
    const candidate = { number: this.#candidates.size, first: new Set<string>(), isDropped: false };
    this.#candidates.set(column, candidate);
    return candidate;
  }

  /** Returns whether the value is new among the first values. */
  #addValue({ number, first }: Candidate, value: string): boolean {
    if (first.has(value)) return false;
    if (first.size < MAX_FIRST_VALUES) first.add(value);
    this.#insert(number, value);
    return true;
  }

  #hasRepeated(column: number): boolean {
    const repeated = `select 1 from ${this.#table} where col = ? group by value having count(*) > 1 limit 1`;
    return this.#scratch.raw.prepare(repeated).get(column) !== undefined;
  }
}
