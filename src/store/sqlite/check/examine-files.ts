import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { command, type Hint, hint } from '../../../text/hint.ts';
import { shareFolder } from '../folder/folder-lock.ts';
import type { SqliteStore } from '../open-store.ts';
import { checkPages, isDamage, openToRead } from './check-file.ts';
import type { Finding } from './finding.ts';

/** The hint for damaged files. */
const REPAIR = hint`Stop the server and restore a backup: ${command('restore', 'BACKUP --force')} (the old files are kept in a separate folder).`;

/** Runs a check. An error of the store becomes a finding. */
export async function examine(
  check: string,
  run: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await run()].flat();
  } catch (error) {
    return [{ check, fine: false, say: describe(error) }];
  }
}

function describe(error: unknown): Hint {
  if (error instanceof AppError) return hint`${error.parts.message} ${error.parts.hint ?? REPAIR}`;
  if (isDamage(error)) return hint`cannot be read, the file is damaged. ${REPAIR}`;
  const { code = '' } = error as { code?: string };
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'cannot be checked now, another process writes. Try again.';
  throw error;
}

/** Checks every page of each database file in a folder. */
export async function examinePages(directory: string): Promise<Finding[]> {
  const files = ['store.sqlite', 'audit.sqlite'].filter((name) => existsSync(join(directory, name)));
  const findings = files.map((name) =>
    examine(name, () => {
      const lock = shareFolder(directory);
      const database = openToRead(join(directory, name));
      try {
        checkPages(database);
      } catch (error) {
        if (error instanceof AppError) return { check: name, fine: false, say: hint`damaged. ${REPAIR}` };
        throw error;
      } finally {
        database.close();
        lock.release();
      }
      return { check: name, fine: true, say: 'every page is sound' };
    }),
  );
  return (await Promise.all(findings)).flat();
}

interface Counts {
  readonly records: number;
  readonly facets: number;
  readonly days: number;
  readonly stray: number;
}

/** One statement reads one snapshot: a server may add records at the same time. */
const COUNTS = `select (select count(*) from records) as records, (select count(*) from facets) as facets,
  (select coalesce(sum(n), 0) from days) as days,
  (select count(*) from texts_docsize where id not in (select rid from records)) as stray`;

/** Compares the counts of the tables that are written together with each record. */
export function examineCounts({ write: { raw } }: SqliteStore): Finding[] {
  const { records, facets, days, stray } = raw.prepare(COUNTS).get() as Counts;
  const show = (number: number) => number.toLocaleString('en');
  const compare = (check: string, found: number): Finding =>
    found === records
      ? { check, fine: true, say: `agree with ${show(records)} records` }
      : { check, fine: false, say: `${show(found)} for ${show(records)} records. Restore a backup.` };
  return [
    compare('facets', facets),
    compare('day counts', days),
    {
      check: 'full text',
      fine: stray === 0,
      say: stray === 0 ? 'no stray entries' : `${stray} stray entries. Restore a backup.`,
    },
  ];
}

/** Reports interrupted removals: they are no damage, but their data is still in the files. */
export async function examineRemovals({ read }: SqliteStore): Promise<Finding[]> {
  const ids = await read.catalog.listRemovals();
  const say = hint`${ids.join(', ')} is not erased yet. Start the server, or run ${command('connection remove', 'ID')} again.`;
  return ids.length === 0 ? [] : [{ check: 'removals', fine: false, say }];
}
