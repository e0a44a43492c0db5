import { fillDemo } from '../demo/fill-demo.ts';
import { findDemoConnections } from '../demo/remove-demo.ts';
import { listImports } from '../import/import-log.ts';
import { removeConnections } from '../import/remove-connection.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { SqliteStore } from '../store/open-store.ts';
import { type Call, getText, parseWholeNumber } from './call.ts';
import { print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { describePages } from './served-address.ts';
import { withStore } from './with-store.ts';

export async function demo(call: Call): Promise<void> {
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
      `${filled.records.toLocaleString('en')} demo records in ${filled.connections} connections.\n${describePages(config, '/dashboard/connect')}`,
    );
  });
}

/** Takes the demo out again, and nothing else. */
async function removeDemo(call: Call, store: SqliteStore): Promise<void> {
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
