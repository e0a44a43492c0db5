import { removeConnections } from '../import/remove-connection.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { addConnection, renameConnection } from '../schema-index/edit-catalog.ts';
import { formatAmount, formatCount, print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { table } from './print/table.ts';
import { type Call, getPositional, getText, UsageError } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { withExistingStore, withStore, withStoreForListing } from './run/with-store.ts';

export async function connectionList(call: Call): Promise<void> {
  await withStoreForListing(call, async (store) => {
    const catalog = await loadCatalog(store.read);
    const counts = await store.read.stored.spans();
    const connections = catalog.connections.map((connection) => ({
      ...connection,
      streams: Object.fromEntries(
        catalog.streams
          .filter((stream) => stream.connection.connection_id === connection.connection_id)
          .map((stream) => [stream.name, counts.get(stream.streamId)?.records ?? 0]),
      ),
    }));
    const rows = connections.map((one) => [
      one.connection_id,
      one.connector_key,
      one.display_name,
      Object.entries(one.streams)
        .map(([name, n]) => `${name} ${formatCount(n)}`)
        .join(', '),
    ]);
    print(
      call,
      connections,
      rows.length === 0
        ? `No connections yet. Add demo data: ${formatCommand('demo')}`
        : await table([['ID', 'SOURCE', 'NAME', 'STREAMS'], ...rows]),
    );
  });
}

export async function connectionAdd(call: Call): Promise<void> {
  const connectorKey = getPositional(call, 0, 'KEY');
  const id = getText(call, 'id');
  const name = getText(call, 'name');
  if (id === undefined || name === undefined) throw new UsageError('--id and --name are required.');
  await withStore(call, async (store) => {
    const connection = { connection_id: id, connector_key: connectorKey, display_name: name };
    const outcome = await addConnection(store.write, connection, new Date());
    print(call, { ...connection, outcome }, `Connection ${id} ${outcome}.`);
  });
}

export async function connectionRename(call: Call): Promise<void> {
  const id = getPositional(call, 0, 'ID');
  const name = getPositional(call, 1, 'NAME');
  await withExistingStore(call, async (store) => {
    await renameConnection(store.write, id, name);
    print(call, { connection_id: id, display_name: name }, `Renamed ${id} to ${name}.`);
  });
}

export async function connectionRemove(call: Call): Promise<void> {
  const id = getPositional(call, 0, 'ID');
  await withExistingStore(call, async (store) => {
    const progress = createProgress(undefined, 'records');
    const removed = await removeConnections(store, [id], new Date(), progress.update);
    progress.end();
    print(
      call,
      { connection_id: id, ...removed },
      `Removed ${id} with ${formatAmount(removed.records, 'record')}. ${formatAmount(removed.grants, 'app')} lost access to it.`,
    );
  });
}
