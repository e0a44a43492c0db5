import { renameConnection } from '../schema-index/edit-catalog.ts';
import { print } from './print/print.ts';
import { type Call, getPositional } from './run/call.ts';
import { withExistingStore } from './run/with-store.ts';

export async function connectionRename(call: Call): Promise<void> {
  const id = getPositional(call, 0, 'ID');
  const name = getPositional(call, 1, 'NAME');
  await withExistingStore(call, async (store) => {
    await renameConnection(store.write, id, name);
    print(call, { connection_id: id, display_name: name }, `Connection ${id} is now called ${name}.`);
  });
}
