import { addConnection } from '../schema-index/edit-catalog.ts';
import { print } from './print/print.ts';
import { type Call, getPositional, getText, UsageError } from './run/call.ts';
import { withStore } from './run/with-store.ts';

export async function connectionAdd(call: Call): Promise<void> {
  const connectorKey = getPositional(call, 0, 'KEY');
  const id = getText(call, 'id');
  const name = getText(call, 'name');
  if (id === undefined || name === undefined) throw new UsageError('--id and --name are needed');
  await withStore(call, async (store) => {
    const connection = { connection_id: id, connector_key: connectorKey, display_name: name };
    const outcome = await addConnection(store.write, connection, new Date());
    print(call, { ...connection, outcome }, `Connection ${id}: ${outcome}.`);
  });
}
