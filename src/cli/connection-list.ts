import { loadCatalog } from '../schema-index/catalog.ts';
import { print } from './print/print.ts';
import { showCount } from './print/show-count.ts';
import { table } from './print/table.ts';
import type { Call } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { withListedStore } from './run/with-store.ts';

export async function connectionList(call: Call): Promise<void> {
  await withListedStore(call, async (store) => {
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
        .map(([name, n]) => `${name} ${showCount(n)}`)
        .join(', '),
    ]);
    print(
      call,
      connections,
      rows.length === 0
        ? `No connections yet. Try: ${formatCommand('demo')}`
        : await table([['ID', 'SOURCE', 'NAME', 'STREAMS'], ...rows]),
    );
  });
}
