import { createOwnerToken, revokeOwnerTokens } from '../grants/grant-store.ts';
import { createSetupLink } from '../owner/setup-link.ts';
import { print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { noteOnCommandLine } from './run/note-event.ts';
import { withExistingStore, withStore } from './run/with-store.ts';
import { findAddress } from './serve/served-address.ts';

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

export async function ownerReset(call: Call): Promise<void> {
  await withStore(call, async (store, config) => {
    const now = new Date();
    const { url, runs } = findAddress(config, call);
    const link = await createSetupLink(store.write, url, now);
    await noteOnCommandLine(store, { kind: 'setup_link_made' }, now);
    print(
      call,
      { link },
      `Open this to set a new passphrase (once, within the hour${runs ? '' : `; the server is not running: ${formatCommand('serve')} starts it`}):\n\n${link}\n\nSetting it signs out every browser. Apps and owner tokens keep working; ${formatCommand('grant revoke', '--all')} ends them.`,
    );
  });
}

export async function ownerRevoke(call: Call): Promise<void> {
  await withExistingStore(call, async (store) => {
    const ended = await revokeOwnerTokens(store.write);
    // Also where there are none: an older copy of the store may have some.
    await noteOnCommandLine(store, { kind: 'owner_tokens_ended' }, new Date());
    print(call, { ended }, `${ended} owner tokens ended.`);
  });
}
