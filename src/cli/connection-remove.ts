import { removeConnections } from '../import/remove-connection.ts';
import { type Command, dataOption, getPositional, jsonOption, print, withStore } from './command.ts';
import { createProgress } from './print/progress.ts';

export const connectionRemove: Command = {
  usage: 'connection remove ID [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    const id = getPositional(call, 0, 'ID');
    await withStore(call, async (store) => {
      const progress = createProgress(undefined, 'records');
      const removed = await removeConnections(store, [id], new Date(), progress.update);
      progress.end();
      print(
        call,
        { connection_id: id, ...removed },
        `Connection ${id} is removed, with ${removed.records.toLocaleString('en')} records. Apps that could read it: ${removed.grants}.`,
      );
    });
  },
};
