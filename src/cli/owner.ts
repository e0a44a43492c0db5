import { createOwnerToken } from '../grants/grant-store.ts';
import { createSetupLink } from '../owner/setup-link.ts';
import { formatAmount, print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { logCommandEvent } from './run/open-configured.ts';
import { withExistingStore, withStore } from './run/with-store.ts';
import { findAddress } from './serve/served-address.ts';

export async function ownerToken(call: Call): Promise<void> {
  await withStore(call, async (store) => {
    const now = new Date();
    const token = await createOwnerToken(store.write, now);
    await logCommandEvent(store, { kind: 'owner_token_issued' }, now);
    print(
      call,
      { token },
      `Owner token (shown once, valid for 90 days): ${token}\nUse it for /v1/ingest and your own reads over /v1. Do not give it to AI apps: /mcp refuses it.`,
    );
  });
}

export async function ownerReset(call: Call): Promise<void> {
  await withStore(call, async (store, config) => {
    const now = new Date();
    const { url, runs } = findAddress(config, call);
    const link = await createSetupLink(store.write, url, now);
    await logCommandEvent(store, { kind: 'setup_link_made' }, now);
    print(
      call,
      { link },
      `${runs ? '' : `The server is not running. Start it first: ${formatCommand('serve')}\n\n`}Open this link within one hour to set a new passphrase. It works once:\n\n${link}\n\nThis signs out every browser. Apps and owner tokens keep access; to end it: ${formatCommand('grant revoke', '--all')}`,
    );
  });
}

export async function ownerRevoke(call: Call): Promise<void> {
  await withExistingStore(call, async (store) => {
    const ended = await store.write.grants.deleteOwnerTokens();
    // Logged even if there were none, because an older copy of the store may have some.
    await logCommandEvent(store, { kind: 'owner_tokens_ended' }, new Date());
    print(call, { ended }, `Revoked ${formatAmount(ended, 'owner token')}.`);
  });
}
