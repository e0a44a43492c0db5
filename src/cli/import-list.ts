import { listImports } from '../import/import-log.ts';
import { type Command, dataOption, jsonOption, print, table, withStore } from './command.ts';

export const importList: Command = {
  usage: 'import list [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    await withStore(call, async (store) => {
      const imports = await listImports(store.read);
      const rows = imports.map(({ import_id, started_at, state, report }) => [
        String(import_id),
        started_at.slice(0, 16).replace('T', ' '),
        report.title,
        report.connection_id,
        Object.values(report.streams)
          .reduce((sum, counts) => sum + counts.new, 0)
          .toLocaleString('en'),
        report.problems_total.toLocaleString('en'),
        state,
      ]);
      const heads = ['ID', 'WHEN (UTC)', 'WHAT', 'CONNECTION', 'NEW', 'PROBLEMS', 'STATE'];
      print(call, imports, rows.length === 0 ? 'No imports yet.' : table([heads, ...rows]));
    });
  },
};
