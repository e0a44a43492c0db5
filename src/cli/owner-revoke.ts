import { revokeOwnerTokens } from '../grants/grant-store.ts';
import { print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { noteOnCommandLine } from './run/note-event.ts';
import { withExistingStore } from './run/with-store.ts';

export async function ownerRevoke(call: Call): Promise<void> {
  await withExistingStore(call, async (store) => {
    const ended = await revokeOwnerTokens(store.write);
    // Also where there are none: an older copy of the store may have some.
    await noteOnCommandLine(store, { kind: 'owner_tokens_ended' }, new Date());
    print(call, { ended }, `${ended} owner tokens ended.`);
  });
}
