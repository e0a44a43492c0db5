import { createOwnerToken } from '../grants/grant-store.ts';
import { type Command, dataOption, jsonOption, print, withStore } from './command.ts';

export const ownerToken: Command = {
  usage: 'owner token [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    await withStore(call, async (store) => {
      const token = await createOwnerToken(store.write, new Date());
      print(
        call,
        { token },
        `Owner token (shown once, good for 90 days): ${token}\nFor /v1/ingest and your own reads over /v1. AI apps never get it: /mcp refuses it.`,
      );
    });
  },
};
