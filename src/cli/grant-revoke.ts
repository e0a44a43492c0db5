import { revokeGrant } from '../grants/grant-store.ts';
import { type Command, dataOption, getPositional, jsonOption, print, withStore } from './command.ts';
import { noteOnCommandLine } from './note-event.ts';

export const grantRevoke: Command = {
  usage: 'grant revoke ID [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    const grantId = getPositional(call, 0, 'ID');
    await withStore(call, async (store) => {
      const now = new Date();
      const ended = await revokeGrant(store.write, grantId, now);
      if (ended !== undefined)
        noteOnCommandLine(store, { kind: 'revoked', grantId, client: ended.clientName }, now);
      print(
        call,
        { grant_id: grantId, state: 'revoked' },
        `Grant ${grantId} is revoked. Its token no longer works.`,
      );
    });
  },
};
