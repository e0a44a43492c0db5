import type { ReadStore, WriteStore } from '../../store/sqlite/open-store.ts';
import { listImportedConnections } from '../import-store.ts';

/** A connection that an export of the same source may belong to. */
export interface Candidate {
  readonly connectionId: string;
  readonly name: string;
  readonly account: string | undefined;
  /** Names and addresses of the owner there. */
  readonly self: readonly string[];
  /** The zone that keys of its records were made in. Imports of earlier versions did not note it. */
  readonly keyZone: string | undefined;
}

/** Lists the connections of a source that imports made, the oldest first. */
export async function listCandidates(
  store: ReadStore | WriteStore,
  connectorKey: string,
): Promise<Candidate[]> {
  const rows = await listImportedConnections(store, connectorKey);
  return rows.map((row) => ({
    connectionId: row.connection_id,
    name: row.display_name,
    account: row.account ?? undefined,
    self: JSON.parse(row.self ?? '[]') as string[],
    keyZone: row.key_zone ?? undefined,
  }));
}
