import { unusable } from '../failures.ts';
import { type Comparison, compareStores } from './compare-tables.ts';
import type { MoveSource, MoveTarget, Row } from './move-stores.ts';
import { createMovedReader, type MovedReader } from './read-moved.ts';
import { type MovedTable, movedTables, stateTables } from './tables.ts';

/** Receives the progress of a move. */
export interface MoveProgress {
  /** A phase begins, with the number of rows. */
  start(phase: 'copy' | 'compare', rows: number): void;
  add(rows: number): void;
}

export interface Moved {
  /** Whether the move was new, continued an interrupted one, or started again because the source had changed. */
  readonly began: Awaited<ReturnType<MoveTarget['prepare']>>;
  readonly tables: readonly Comparison[];
}

/**
 * Copies a store into an empty one, compares every row, and publishes the target if all are equal. Can be interrupted at
 * any time: the next run continues after the last row of each table.
 */
export async function moveStore(
  source: MoveSource,
  target: MoveTarget,
  progress: MoveProgress,
): Promise<Moved> {
  const began = await target.prepare(await source.fingerprint());
  const counts = await countRows(source);
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  progress.start('copy', rows);
  await copyTables(await createMovedReader(source), target, counts, (count) => progress.add(count));
  progress.start('compare', rows);
  const tables = await target.withReader((reader) =>
    compareStores(source, reader, (count) => progress.add(count)),
  );
  if (tables.some(({ different }) => different > 0)) throw differenceError(tables);
  await target.publish();
  return { began, tables };
}

async function countRows(source: MoveSource): Promise<Map<MovedTable, number>> {
  const counts = new Map<MovedTable, number>();
  for (const table of movedTables) counts.set(table, await source.count(table));
  return counts;
}

async function copyTables(
  source: MovedReader,
  target: MoveTarget,
  counts: ReadonlyMap<MovedTable, number>,
  onRows: (count: number) => void,
): Promise<void> {
  for (const table of movedTables) {
    let left = counts.get(table) ?? 0;
    for await (const rows of source.readPages(table, await target.findLastKey(table))) {
      await target.writeRows(table, rows);
      onRows(rows.length);
      left -= rows.length;
    }
    // Counts rows that an interrupted move had written before, and rows that are not moved.
    onRows(left);
  }
  for (const table of stateTables) {
    const all: Row[] = [];
    for await (const rows of source.readPages(table)) all.push(...rows);
    await target.replaceRows(table, all);
  }
}

function differenceError(tables: readonly Comparison[]): Error {
  const problems = tables.flatMap(({ table, source, target, different }) =>
    different === 0 ? [] : [`${table}: ${different} different of ${source}, target has ${target}`],
  );
  return unusable(
    `The copy differs from the source, so it is not used: ${problems.join('; ')}.`,
    'Check the source, empty the target, and move again.',
  );
}
