import { createHash } from 'node:crypto';
import { installSource } from '../ingest/install-source.ts';
import { type CatalogStream, createStream, loadCatalog } from '../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../schema-index/check-declaration.ts';
import { addConnection } from '../schema-index/edit-catalog.ts';
import { planSlots } from '../schema-index/slot-plan.ts';
import type { ReadStore, WriteStore } from '../store/open-store.ts';
import { makeFreeName } from './make-free-name.ts';

/** Which connection an import goes into. */
export interface Target {
  readonly connectionId: string;
  readonly name: string;
  readonly outcome: 'new' | 'same';
}

export interface TargetWish {
  readonly connectionId?: string;
  readonly name?: string;
  readonly account?: string;
}

/**
 * The same account is the same connection again; an export that names none goes where such went before. Connections
 * that no import made (of the demo, or made by hand) are left alone unless they are named.
 */
export async function chooseTarget(
  store: ReadStore | WriteStore,
  declaration: CheckedDeclaration,
  wish: TargetWish,
): Promise<Target> {
  const key = declaration.connector_key;
  const all = await store.db
    .selectFrom('connections')
    .select(['connection_id', 'connector_key', 'display_name', 'account'])
    .execute();
  const imported = new Set(
    (await store.db.selectFrom('imports').select('connection_id').distinct().execute()).map(
      (row) => row.connection_id,
    ),
  );
  const known =
    wish.connectionId === undefined
      ? all.find(
          (one) =>
            one.connector_key === key &&
            one.account === (wish.account ?? null) &&
            imported.has(one.connection_id),
        )
      : all.find((one) => one.connection_id === wish.connectionId);
  const others = all.filter((one) => one !== known).map((one) => one.display_name);
  if (known !== undefined) {
    const name = wish.name === undefined ? known.display_name : makeFreeName(wish.name, others);
    return { connectionId: known.connection_id, name, outcome: 'same' };
  }
  const taken = new Set(all.map((one) => one.connection_id));
  const name =
    wish.account === undefined ? declaration.display.name : `${declaration.display.name} (${wish.account})`;
  return {
    connectionId: wish.connectionId ?? makeConnectionId(key, wish.account, taken),
    name: makeFreeName(wish.name ?? name, others),
    outcome: 'new',
  };
}

/** Puts the declaration and the connection in place, and gives the streams to write to. */
export async function placeTarget(
  store: WriteStore,
  declaration: CheckedDeclaration,
  target: Target,
  account: string | undefined,
  now: Date,
): Promise<ReadonlyMap<string, CatalogStream>> {
  await installSource(store, declaration, now);
  await addConnection(
    store,
    {
      connection_id: target.connectionId,
      connector_key: declaration.connector_key,
      display_name: target.name,
    },
    now,
  );
  if (account !== undefined) {
    await store.db
      .updateTable('connections')
      .set({ account })
      .where('connection_id', '=', target.connectionId)
      .execute();
  }
  return readStreams(store, target.connectionId);
}

/** The streams as they would be, without putting anything in place. Those that are not there have numbers below zero. */
export async function foreseeStreams(
  store: ReadStore,
  declaration: CheckedDeclaration,
  target: Target,
): Promise<ReadonlyMap<string, CatalogStream>> {
  const present = await readStreams(store, target.connectionId);
  const connection = {
    connection_id: target.connectionId,
    connector_key: declaration.connector_key,
    display_name: target.name,
  };
  return new Map(
    declaration.streams.map((stream, index) => {
      const before = present.get(stream.name);
      const plan = planSlots(stream, before?.plan);
      return [stream.name, createStream(connection, stream, before?.streamId ?? -1 - index, plan)];
    }),
  );
}

async function readStreams(
  store: ReadStore | WriteStore,
  connectionId: string,
): Promise<ReadonlyMap<string, CatalogStream>> {
  const { streams } = await loadCatalog(store);
  return new Map(
    streams
      .filter((stream) => stream.connection.connection_id === connectionId)
      .map((stream) => [stream.name, stream]),
  );
}

function makeConnectionId(key: string, account: string | undefined, taken: ReadonlySet<string>): string {
  const slug = (account ?? '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  // What the slug cannot say, a few letters of a hash tell apart.
  const tail = createHash('sha256')
    .update(account ?? '')
    .digest('hex')
    .slice(0, 6);
  const base = account === undefined ? key : `${key.slice(0, 30)}-${(slug || tail).slice(0, 24)}`;
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) if (!taken.has(`${base.slice(0, 58)}-${n}`)) return `${base.slice(0, 58)}-${n}`;
}
