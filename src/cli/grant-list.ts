import { isLive } from '../grants/grant.ts';
import { listGrants } from '../grants/grant-store.ts';
import { print } from './print/print.ts';
import { table } from './print/table.ts';
import type { Call } from './run/call.ts';
import { withListedStore } from './run/with-store.ts';

export async function grantList(call: Call): Promise<void> {
  await withListedStore(call, async (store) => {
    const grants = (await listGrants(store.read)).map((grant) => ({
      grant_id: grant.grantId,
      client: grant.clientName,
      state: isLive(grant, new Date()) ? 'live' : grant.revokedAt === undefined ? 'expired' : 'revoked',
      created_at: grant.createdAt,
      expires_at: grant.expiresAt ?? null,
      streams: grant.streams.map((stream) => `${stream.connection_id}:${stream.stream}`),
    }));
    const rows = grants.map((one) => [
      one.grant_id,
      one.client,
      one.state,
      one.created_at.slice(0, 10),
      summarize(one.streams),
    ]);
    print(
      call,
      grants,
      rows.length === 0
        ? 'No grants yet.'
        : await table([['ID', 'CLIENT', 'STATE', 'SINCE', 'MAY READ'], ...rows]),
    );
  });
}

function summarize(streams: readonly string[]): string {
  return streams.length <= 3
    ? streams.join(' ')
    : `${streams.slice(0, 3).join(' ')} and ${streams.length - 3} more`;
}
