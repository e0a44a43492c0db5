import { revokeOwnerTokens } from '../grants/grant-store.ts';
import { type Command, dataOption, jsonOption, print, withStore } from './command.ts';
import { noteOnCommandLine } from './note-event.ts';

export const ownerRevoke: Command = {
  usage: 'owner revoke [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    await withStore(call, async (store) => {
      const ended = await revokeOwnerTokens(store.write);
      // Also where there are none: an older copy of the store may have some.
      await noteOnCommandLine(store, { kind: 'owner_tokens_ended' }, new Date());
      print(call, { ended }, `${ended} owner tokens ended.`);
    });
  },
};
