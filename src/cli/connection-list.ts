import { loadCatalog } from '../schema-index/catalog.ts';
import { readSpans } from '../store/stored-counts.ts';
import { type Command, dataOption, jsonOption, print, table, withStore } from './command.ts';

export const connectionList: Command = {
  usage: 'connection list [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    await withStore(call, async (store) => {
      const catalog = await loadCatalog(store.read);
      const counts = await readSpans(store.read);
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
          .map(([name, n]) => `${name} ${n.toLocaleString('en')}`)
          .join(', '),
      ]);
      print(
        call,
        connections,
        rows.length === 0
          ? 'No connections yet. Try: pdpp demo'
          : table([['ID', 'SOURCE', 'NAME', 'STREAMS'], ...rows]),
      );
    });
  },
};
