import { listImports } from '../import/import-log.ts';
import { formatCount, formatMinute, print } from './print/print.ts';
import { table } from './print/table.ts';
import type { Call } from './run/call.ts';
import { withStoreForListing } from './run/with-store.ts';

export async function importList(call: Call): Promise<void> {
  await withStoreForListing(call, async (store) => {
    const imports = await listImports(store.read);
    const rows = imports.map(({ import_id, started_at, state, report }) => [
      String(import_id),
      formatMinute(started_at),
      report.title,
      report.connection_id,
      formatCount(Object.values(report.streams).reduce((sum, counts) => sum + counts.new, 0)),
      formatCount(report.problems_total),
      state,
    ]);
    const header = ['ID', 'WHEN (UTC)', 'WHAT', 'CONNECTION', 'NEW', 'PROBLEMS', 'STATE'];
    print(call, imports, rows.length === 0 ? 'No imports yet.' : await table([header, ...rows]));
  });
}
