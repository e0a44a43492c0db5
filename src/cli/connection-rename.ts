import { renameConnection } from '../schema-index/edit-catalog.ts';
import { type Command, dataOption, getPositional, jsonOption, print, withStore } from './command.ts';

export const connectionRename: Command = {
  usage: 'connection rename ID NAME [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    const id = getPositional(call, 0, 'ID');
    const name = getPositional(call, 1, 'NAME');
    await withStore(call, async (store) => {
      await renameConnection(store.write, id, name);
      print(call, { connection_id: id, display_name: name }, `Connection ${id} is now called ${name}.`);
    });
  },
};
