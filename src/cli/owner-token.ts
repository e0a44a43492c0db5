import { createOwnerToken } from '../grants/grant-store.ts';
import { type Command, dataOption, jsonOption, print, withStore } from './command.ts';
import { noteOnCommandLine } from './note-event.ts';

export const ownerToken: Command = {
  usage: 'owner token [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    await withStore(call, async (store) => {
      const now = new Date();
      const token = await createOwnerToken(store.write, now);
      await noteOnCommandLine(store, { kind: 'owner_token_issued' }, now);
      print(
        call,
        { token },
        `Owner token (shown once, good for 90 days): ${token}\nFor /v1/ingest and your own reads over /v1. AI apps never get it: /mcp refuses it.`,
      );
    });
  },
};
