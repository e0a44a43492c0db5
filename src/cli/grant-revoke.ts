import { revokeGrant } from '../grants/grant-store.ts';
import { type Command, dataOption, getPositional, jsonOption, print, withStore } from './command.ts';

export const grantRevoke: Command = {
  usage: 'grant revoke ID [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    const grantId = getPositional(call, 0, 'ID');
    await withStore(call, async (store) => {
      await revokeGrant(store.write, grantId, new Date());
      print(
        call,
        { grant_id: grantId, state: 'revoked' },
        `Grant ${grantId} is revoked. Its token no longer works.`,
      );
    });
  },
};
