import { revokeOwnerTokens } from '../grants/grant-store.ts';
import { type Command, dataOption, jsonOption, print, withStore } from './command.ts';

export const ownerRevoke: Command = {
  usage: 'owner revoke [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    await withStore(call, async (store) => {
      const ended = await revokeOwnerTokens(store.write);
      print(call, { ended }, `${ended} owner tokens ended.`);
    });
  },
};
