import { fillDemo } from '../demo/fill-demo.ts';
import {
  type Command,
  dataOption,
  getText,
  jsonOption,
  parseWholeNumber,
  print,
  withStore,
} from './command.ts';
import { createProgress } from './print/progress.ts';

export const demo: Command = {
  usage: 'demo [--records N] [--seed S] [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption, records: { type: 'string' }, seed: { type: 'string' } },
  async run(call) {
    const records = parseWholeNumber(getText(call, 'records'), 20_000, 'records');
    const seed = parseWholeNumber(getText(call, 'seed'), 1, 'seed');
    await withStore(call, async (store, config) => {
      const progress = createProgress(records, 'records');
      const filled = await fillDemo(store.write, { records, seed }, new Date(), progress.update);
      progress.end();
      print(
        call,
        { ...filled, seed, data: config.dataDirectory },
        `${filled.records.toLocaleString('en')} demo records in ${filled.connections} connections.\nConnect an app: ${config.publicUrl}/dashboard/connect (while pdpp serve runs)`,
      );
    });
  },
};
