import type Database from 'better-sqlite3';

/**
 * Who may read and who has signed in, parents first. A restore takes these from the folder that it replaces, so that
 * nothing that ended since the backup was made is live again; every other table is data and comes from the backup.
 */
export const accessTables = [
  'settings',
  'grants',
  'tokens',
  'oauth_items',
  'sessions',
  'setup_links',
] as const;

/** Tables of data. A new table belongs in one of the two lists; a test looks. */
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
  'texts',
  'lexicon',
  'words',
  'places',
] as const;

/** Both stores are at the same version. */
export function carryAccess(from: Database.Database, to: Database.Database): void {
  const carry = to.transaction(() => {
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
  carry.immediate();
}
