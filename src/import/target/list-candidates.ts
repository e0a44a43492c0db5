import { sql } from 'kysely';
import type { ReadStore, WriteStore } from '../../store/open-store.ts';

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
  const rows = await store.db
    .selectFrom('connections')
    .select(['connection_id', 'display_name', 'account', 'self'])
    .where('connector_key', '=', connectorKey)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('imports')
          .select('import_id')
          .whereRef('imports.connection_id', '=', 'connections.connection_id'),
      ),
    )
    .orderBy('created_at')
    .orderBy('connection_id')
    .execute();
  const zones = await readKeyZones(store);
  return rows.map((row) => ({
    connectionId: row.connection_id,
    name: row.display_name,
    account: row.account ?? undefined,
    self: JSON.parse(row.self ?? '[]') as string[],
    keyZone: zones.get(row.connection_id),
  }));
}

async function readKeyZones({ db }: ReadStore | WriteStore): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ connection_id: string; zone: string }>`
    select connection_id, report ->> 'key_zone' as zone from imports
    where report ->> 'key_zone' is not null order by import_id`.execute(db);
  return new Map(rows.map(({ connection_id, zone }) => [connection_id, zone]));
}
