import { createSetupLink } from '../owner/setup-link.ts';
import { type Command, dataOption, jsonOption, print, withStore } from './command.ts';
import { noteOnCommandLine } from './note-event.ts';

export const ownerReset: Command = {
  usage: 'owner reset [--data DIR] [--public-url URL] [--json]',
  options: {
    ...dataOption,
    ...jsonOption,
    port: { type: 'string' },
    host: { type: 'string' },
    'public-url': { type: 'string' },
  },
  async run(call) {
    await withStore(call, async (store, config) => {
      const now = new Date();
      const link = await createSetupLink(store.write, config.publicUrl, now);
      await noteOnCommandLine(store, { kind: 'setup_link_made' }, now);
      print(
        call,
        { link },
        `Open this to set a new passphrase (once, within the hour; the server must be running):\n\n${link}\n\nIt signs out every browser. Apps stay connected.`,
      );
    });
  },
};
