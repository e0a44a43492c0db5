import { createOwnerToken } from '../grants/grant-store.ts';
import { print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { noteOnCommandLine } from './run/note-event.ts';
import { withStore } from './run/with-store.ts';

export async function ownerToken(call: Call): Promise<void> {
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
}
