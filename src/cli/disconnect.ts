import { removeConnection } from '../client/connection-file.ts';
import { getConnection } from '../client/find-connection.ts';
import { createGuardedFetch } from '../client/guarded-fetch.ts';
import { revokeAccess } from '../client/stored-access.ts';
import { print } from './print/print.ts';
import type { Call } from './run/call.ts';
import { readConnectionFolders } from './run/with-server.ts';

export async function disconnect(call: Call): Promise<void> {
  const { file, name, connection } = getConnection(readConnectionFolders(call), call.positionals[0]);
  const { origin } = new URL(connection.server);
  const revoked = await revokeAccess(connection, createGuardedFetch(new URL(connection.server)));
  removeConnection(file);
  print(
    call,
    { name, server: connection.server, revoked },
    revoked
      ? `Disconnected from ${origin}. Access has ended.`
      : `Disconnected from ${origin}, but the server did not confirm it. To end access there, open ${origin}/dashboard/apps`,
  );
}
