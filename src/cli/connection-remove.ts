import { removeConnections } from '../import/remove-connection.ts';
import { print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { showCount } from './print/show-count.ts';
import { type Call, getPositional } from './run/call.ts';
import { withExistingStore } from './run/with-store.ts';

export async function connectionRemove(call: Call): Promise<void> {
  const id = getPositional(call, 0, 'ID');
  await withExistingStore(call, async (store) => {
    const progress = createProgress(undefined, 'records');
    const removed = await removeConnections(store, [id], new Date(), progress.update);
    progress.end();
    print(
      call,
      { connection_id: id, ...removed },
      `Connection ${id} is removed, with ${showCount(removed.records)} records. Apps that could read it: ${removed.grants}.`,
    );
  });
}
