import type Database from 'better-sqlite3';

/**
 * Tables of access and sign-ins, parents first. A restore keeps those of the store that it replaces, so that no access
 * that ended since the backup is revived. All other tables come from the backup.
 */
export const accessTables = [
  'settings',
  'grants',
  'tokens',
  'oauth_items',
  'sessions',
  'setup_links',
] as const;

/** Tables of data. A test checks that every table is in one of the two lists. */
export const dataTables = [
  'counters',
  'sources',
  'connections',
  'imports',
  'import_spans',
  'removals',
  'streams',
  'records',
  'facets',
  'history',
  'large_records',
  'large_fields',
  'large_pieces',
  'large_past',
  'deletions',
  'days',
  'accounts',
  'account_items',
  'account_records',
  'texts',
  'lexicon',
  'words',
  'places',
] as const;

/** Replaces the access tables of a store by those of another store of the same version. */
export function copyAccess(from: Database.Database, to: Database.Database): void {
  const copy = to.transaction(() => {
    for (const table of accessTables.toReversed()) to.exec(`delete from ${table}`);
    for (const table of accessTables) {
      const rows = from.prepare(`select * from ${table}`).all() as Record<string, unknown>[];
      const [first] = rows;
      if (first === undefined) continue;
      const columns = Object.keys(first);
      const insert = to.prepare(
        `insert into ${table} (${columns}) values (${columns.map((column) => `@${column}`)})`,
      );
      for (const row of rows) insert.run(row);
    }
  });
  copy.immediate();
}
