import type { Outcome } from '../../batches.ts';
import type { WriteDatabase } from '../database.ts';
import { sql } from '../sql.ts';

/** Records after which statistics are checked for the first time. */
const FIRST_RECORDS = 2_000;
const TABLES = ['records', 'history', 'word_blocks'];

/**
 * Refreshes the statistics that PostgreSQL plans by whenever the number of records has doubled. Its own background process
 * comes up to a minute later, and until then plans for a fresh table are a hundred times slower.
 */
export function createPlanStatistics(
  database: WriteDatabase,
): (outcomes: readonly Outcome[]) => Promise<void> {
  /** Records since the last refresh, and the number at which the table is looked at again. */
  let [written, next] = [0, FIRST_RECORDS];
  const refresh = async () => {
    const known = await readKnownRecords(database);
    // Another process, or PostgreSQL itself, may have refreshed them.
    if (written < known) next = known;
    else {
      for (const table of TABLES) await database.run(sql`analyze ${sql.raw(table)}`);
      [written, next] = [0, Math.max(FIRST_RECORDS, known + written)];
    }
  };
  return async (outcomes) => {
    written += outcomes.filter((outcome) => outcome === 'new' || outcome === 'changed').length;
    if (written >= next) await database.afterCommit(refresh);
  };
}

/** Returns how many records of all owners the statistics count. */
async function readKnownRecords(database: WriteDatabase): Promise<number> {
  const [row] = await database.query<{ known: number }>(
    sql`select greatest(reltuples, 0)::int8 as known from pg_class where oid = 'records'::regclass`,
  );
  return row?.known ?? 0;
}
