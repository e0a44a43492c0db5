import type { SqliteStore } from '../../src/store/sqlite/open-store.ts';

const TABLES = [
  'grants',
  'tokens',
  'oauth_items',
  'settings',
  'sessions',
  'setup_links',
  'sources',
  'connections',
  'streams',
  'counters',
  'records',
  'facets',
  'days',
];

export interface FailingWrites {
  /** Lets the given write of rows fail, counted from now; 0 lets all succeed. Returns how many there were before. */
  failAt(write: number): number;
  /** Every row there is, as text. */
  snapshot(): string;
}

/** Counts the rows that are written, and fails at one of them as a bug or a broken disk would. */
export function watchWrites({ write: { raw } }: SqliteStore): FailingWrites {
  let [seen, failing] = [0, 0];
  raw.function('note_write', () => {
    seen += 1;
    if (seen === failing) throw new Error('a write failed');
    return 0;
  });
  for (const table of TABLES)
    for (const when of ['insert', 'update', 'delete'])
      raw.exec(
        `create trigger watch_${table}_${when} before ${when} on ${table} begin select note_write(); end`,
      );
  return {
    failAt(write) {
      const before = seen;
      [seen, failing] = [0, write];
      return before;
    },
    snapshot: () =>
      TABLES.map((table) => JSON.stringify(raw.prepare(`select * from ${table} order by 1, 2`).all())).join(
        '\n',
      ),
  };
}
