import { createSetupLink } from '../owner/setup-link.ts';
import { print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { noteOnCommandLine } from './run/note-event.ts';
import { withStore } from './run/with-store.ts';
import { findAddress } from './serve/served-address.ts';

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
