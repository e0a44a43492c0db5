import {
  FORMER_DEMO_CONNECTION_IDS,
  findDemoConnections,
  findDemoEnd,
  findEndOfDay,
} from '../demo/demo-connections.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { AppError } from '../errors.ts';
import { listImports } from '../import/import-log.ts';
import { removeConnections } from '../import/remove-connection.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/store.ts';
import { command, hint } from '../text/hint.ts';
import { formatAmount, print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { type Call, getText, UsageError } from './run/call.ts';
import { withStore } from './run/with-store.ts';
import { describePages } from './serve/served-address.ts';

export async function demo(call: Call): Promise<void> {
  const now = new Date();
  const asked = parseDay(getText(call, 'until'));
  await withStore(call, async (store, config) => {
    if (call.values.remove === true) return removeDemo(call, store);
    const until = await chooseEnd(store, asked, now);
    const progress = createProgress(undefined, 'records');
    const filled = await fillDemo(store.write, until, now, progress.update);
    progress.end();
    print(
      call,
      { ...filled, until: until.toISOString(), data: config.dataDirectory },
      `Added ${formatAmount(filled.records, 'demo record')} in ${formatAmount(filled.connections, 'connection')}.\n${describePages(config, '/dashboard/connect')}`,
    );
  });
}

/** Returns the end of the existing demo, so that a second run changes nothing, or else the requested day or now. */
async function chooseEnd(store: Store, asked: Date | undefined, now: Date): Promise<Date> {
  const demo = await listDemo(store);
  const first = hint`Remove it first: ${command('demo', '--remove')}`;
  if (demo.some((id) => FORMER_DEMO_CONNECTION_IDS.includes(id)))
    throw new AppError('conflict', 'This folder has demo data of an earlier version.', { hint: first });
  const present = await findDemoEnd(store.read);
  if (asked !== undefined && present !== undefined && asked.getTime() !== present.getTime())
    throw new AppError('conflict', 'This folder has demo data that ends on another day.', {
      hint: first,
    });
  return present ?? asked ?? now;
}

function parseDay(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const end = findEndOfDay(text);
  if (end === undefined) throw new UsageError('--until must be a day such as 2026-10-31.');
  return end;
}

/** Removes the demo data of this and earlier versions. */
async function removeDemo(call: Call, store: Store): Promise<void> {
  const ids = await listDemo(store);
  const progress = createProgress(undefined, 'records');
  const { records } = await removeConnections(store, ids, new Date(), progress.update);
  progress.end();
  const text = `Removed ${formatAmount(records, 'demo record')} in ${formatAmount(ids.length, 'connection')}.`;
  print(call, { connections: ids, records }, ids.length === 0 ? 'There is no demo data.' : text);
}

async function listDemo(store: Store): Promise<string[]> {
  const { connections } = await loadCatalog(store.read);
  const imports = await listImports(store.read);
  return findDemoConnections(
    connections.map(({ connection_id }) => connection_id),
    imports.map(({ report }) => report.connection_id),
  );
}
