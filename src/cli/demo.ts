import { fillDemo } from '../demo/fill-demo.ts';
import { findDemoConnections } from '../demo/remove-demo.ts';
import { listImports } from '../import/import-log.ts';
import { removeConnections } from '../import/remove-connection.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/open-store.ts';
import {
  type Call,
  type Command,
  dataOption,
  getText,
  jsonOption,
  parseWholeNumber,
  print,
  withStore,
} from './command.ts';
import { createProgress } from './print/progress.ts';

export const demo: Command = {
  usage: 'demo [--records N] [--seed S] [--remove] [--data DIR] [--json]',
  options: {
    ...dataOption,
    ...jsonOption,
    records: { type: 'string' },
    seed: { type: 'string' },
    remove: { type: 'boolean' },
  },
  async run(call) {
    const records = parseWholeNumber(getText(call, 'records'), 20_000, 'records');
    const seed = parseWholeNumber(getText(call, 'seed'), 1, 'seed');
    await withStore(call, async (store, config) => {
      if (call.values.remove === true) return removeDemo(call, store);
      const progress = createProgress(records, 'records');
      const filled = await fillDemo(store.write, { records, seed }, new Date(), progress.update);
      progress.end();
      print(
        call,
        { ...filled, seed, data: config.dataDirectory },
        `${filled.records.toLocaleString('en')} demo records in ${filled.connections} connections.\nConnect an app: ${config.publicUrl}/dashboard/connect (while pdpp serve runs)`,
      );
    });
  },
};

/** Takes the demo out again, and nothing else. */
async function removeDemo(call: Call, store: Store): Promise<void> {
  const { connections } = await loadCatalog(store.read);
  const imports = await listImports(store.read);
  const ids = findDemoConnections(
    connections.map(({ connection_id }) => connection_id),
    imports.map(({ report }) => report.connection_id),
  );
  const progress = createProgress(undefined, 'records');
  const { records } = await removeConnections(store, ids, new Date(), progress.update);
  progress.end();
  const text = `The demo is removed: ${records.toLocaleString('en')} records in ${ids.length} connections.`;
  print(call, { connections: ids, records }, ids.length === 0 ? 'There is no demo data.' : text);
}
