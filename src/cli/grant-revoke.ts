import { endAllAccess } from '../grants/end-all-access.ts';
import { revokeGrant } from '../grants/grant-store.ts';
import type { Store } from '../store/store.ts';
import { print } from './print/print.ts';
import { type Call, getPositional, UsageError } from './run/call.ts';
import { noteOnCommandLine } from './run/note-event.ts';
import { withExistingStore } from './run/with-store.ts';

export async function grantRevoke(call: Call): Promise<void> {
  const all = call.values.all === true;
  if (all && call.positionals.length > 0) throw new UsageError('ID and --all do not go together');
  const grantId = all ? undefined : getPositional(call, 0, 'ID');
  await withExistingStore(call, async (store) => {
    // What ends is also told in the event log, so that no older copy of the store can make it live again.
    if (grantId === undefined) await revokeAll(call, store);
    else await revokeOne(call, store, grantId);
  });
}

async function revokeOne(call: Call, store: Store, grantId: string): Promise<void> {
  const now = new Date();
  const ended = await revokeGrant(store.write, grantId, now);
  if (ended !== undefined) {
    const { clientId, clientName: client } = ended;
    await noteOnCommandLine(store, { kind: 'revoked', grantId, clientId, client }, now);
  }
  print(
    call,
    { grant_id: grantId, state: 'revoked' },
    `Grant ${grantId} is revoked. Its token no longer works.`,
  );
}

async function revokeAll(call: Call, store: Store): Promise<void> {
  const now = new Date();
  const { grants, ownerTokens, sessions } = await endAllAccess(store.write, now);
  for (const { grantId, clientId, clientName: client } of grants)
    await noteOnCommandLine(store, { kind: 'revoked', grantId, clientId, client }, now);
  await noteOnCommandLine(store, { kind: 'owner_tokens_ended' }, now);
  await noteOnCommandLine(store, { kind: 'signed_out_everywhere' }, now);
  print(
    call,
    { grants: grants.length, owner_tokens: ownerTokens, sessions },
    `All access is ended: ${grants.length} grants, ${ownerTokens} owner tokens, ${sessions} browsers. Apps have to be connected again.`,
  );
}
