import { addConnection } from '../schema-index/edit-catalog.ts';
import {
  type Command,
  dataOption,
  getPositional,
  getText,
  jsonOption,
  print,
  UsageError,
  withStore,
} from './command.ts';

export const connectionAdd: Command = {
  usage: 'connection add KEY --id ID --name NAME [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption, id: { type: 'string' }, name: { type: 'string' } },
  async run(call) {
    const connectorKey = getPositional(call, 0, 'KEY');
    const id = getText(call, 'id');
    const name = getText(call, 'name');
    if (id === undefined || name === undefined) throw new UsageError('--id and --name are needed');
    await withStore(call, async (store) => {
      const connection = { connection_id: id, connector_key: connectorKey, display_name: name };
      const outcome = await addConnection(store.write, connection, new Date());
      print(call, { ...connection, outcome }, `Connection ${id}: ${outcome}.`);
    });
  },
};
