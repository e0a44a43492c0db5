import type { AppError } from '../../errors.ts';
import { unwrapSecret } from '../../secrets/wrap-secret.ts';
import { command, hint } from '../../text/hint.ts';
import { deriveCursorKey } from '../cursor-key.ts';
import { unusable } from '../failures.ts';
import { UNFINISHED_MOVE_SETTING } from '../move/tables.ts';
import { ownerUnknown } from '../owners/owner-list.ts';
import { RESTORED_SETTING } from '../setting-names.ts';
import type { Store } from '../store.ts';
import { createAccessStores } from './access-stores.ts';
import { createAuditStore } from './audit/audit-store.ts';
import type { Connections } from './connections.ts';
import { type Databases, openDatabases } from './database.ts';
import { SCHEMA_VERSION, type SchemaVersion, versionQuery, worksWith } from './migrations.ts';
import { addOwner, DEFAULT_OWNER, WRAPPED_SECRET_SETTING } from './owners.ts';
import { createRecordReads } from './reads/record-reads.ts';
import { runAlone } from './run.ts';
import { joinSnapshots } from './search/join-snapshots.ts';
import { createReadWords, createSearchReads } from './search/search-reads.ts';
import { createWordIndex } from './search/word-index.ts';
import { readSetting } from './settings.ts';
import { hashSecret, SECRET_SETTING } from './shared/secret-hash.ts';
import { createSharedState } from './shared/shared-state.ts';
import { compile, sql } from './sql.ts';
import { createStoredReads } from './stored-reads.ts';
import { createBatchStore } from './write/batch-store.ts';
import { rebuildLargeRecords } from './write/large-records.ts';

export interface StoreOptions {
  /** For files that do not last, such as uploads. */
  readonly directory: string;
  readonly secret: Uint8Array;
  /** The name of the owner, who is added if needed, or the number of one. */
  readonly owner?: string | number;
}

/** A store with its connections, for tests. */
export interface PostgresStore extends Store {
  readonly databases: Databases;
}

/** Opens the store of an owner. Closing it leaves the connections open. */
export async function openStore(
  connections: Connections,
  { directory, secret, owner = DEFAULT_OWNER }: StoreOptions,
): Promise<PostgresStore> {
  const ownerId =
    typeof owner === 'number' ? owner : await addOwner(connections, owner, new Date().toISOString());
  const databases = openDatabases(connections, ownerId);
  const { reads, replicated, writes } = databases;
  await refuseUnfinishedMove(databases);
  await checkSecret(databases, secret);
  const access = createAccessStores(databases, (streamId) => rebuildLargeRecords(writes, streamId));
  const words = createWordIndex(writes);
  const joined = joinSnapshots(replicated);
  return {
    directory,
    databases,
    read: {
      ...access.read,
      records: createRecordReads(joined),
      search: createSearchReads(joined),
      stored: { ...createStoredReads(reads), words: createReadWords(joined.orElse(reads)) },
    },
    write: {
      ...access.write,
      batches: createBatchStore(writes, words),
      uncommitted: createStoredReads(writes),
    },
    audit: createAuditStore(reads),
    secret,
    cursorKey: deriveCursorKey(secret, await readSetting(reads, ownerId, RESTORED_SETTING)),
    shared: createSharedState(reads, secret),
    async isUpToDate() {
      const [found] = await reads.query<SchemaVersion>(versionQuery);
      return found !== undefined && found.version >= SCHEMA_VERSION && worksWith(found);
    },
    close() {},
  };
}

/** Opens the store of an owner with a host. `secret` is that of the deployment. Throws if there is no such owner. */
export async function openHostedStore(
  connections: Connections,
  { directory, secret, name }: { directory: string; secret: Uint8Array; name: string },
): Promise<PostgresStore> {
  const { rows } = await runAlone(
    connections,
    0,
    compile(
      sql`select owner_id from owners where name = ${name} and host is not null and removed_at is null`,
    ),
  );
  const owner = (rows[0] as { owner_id: number } | undefined)?.owner_id;
  if (owner === undefined) throw ownerUnknown();
  const { reads } = openDatabases(connections, owner);
  const wrapped = await readSetting(reads, owner, WRAPPED_SECRET_SETTING);
  const own = wrapped === undefined ? undefined : unwrapSecret(wrapped, secret, owner);
  if (own === undefined) throw otherSecret();
  return openStore(connections, { directory, secret: own, owner });
}

/** Refuses a database that a move has not filled completely. */
async function refuseUnfinishedMove({ reads }: Databases): Promise<void> {
  if ((await readSetting(reads, reads.ownerId, UNFINISHED_MOVE_SETTING)) === undefined) return;
  throw unusable(
    'Data is being moved into this database, and is not complete.',
    hint`Run ${command('move')} again to continue.`,
  );
}

/** Refuses another secret than that of the other processes: cookies and cursors of one would be invalid in the others. */
async function checkSecret({ reads, writes }: Databases, secret: Uint8Array): Promise<void> {
  const hash = hashSecret(secret);
  await writes.run(sql`insert into settings values (${writes.ownerId}, ${SECRET_SETTING}, ${hash})
    on conflict (owner_id, name) do nothing`);
  if ((await readSetting(reads, reads.ownerId, SECRET_SETTING)) !== hash) throw otherSecret();
}

function otherSecret(): AppError {
  return unusable(
    'The database is used with another server secret.',
    'Give every process the same secret: copy the file server-secret, or set PDPP_SERVER_SECRET_FILE.',
  );
}
