import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { installSource } from '../../ingest/install-source.ts';
import { type CatalogStream, createStream, loadCatalog } from '../../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../../schema-index/check-declaration.ts';
import { addConnection } from '../../schema-index/edit-catalog.ts';
import { planSlots } from '../../schema-index/slot-plan.ts';
import type { ReadStore, WriteStore } from '../../store/store.ts';

export type MatchedBy = 'request' | 'account' | 'account_number' | 'owner' | 'records';

export interface Target {
  readonly connectionId: string;
  readonly name: string;
  readonly outcome: 'new' | 'same';
  readonly matchedBy?: MatchedBy;
  /** Connections of the same source that it does not go into. Only for a new one. */
  readonly others: readonly { readonly connection_id: string; readonly name: string }[];
}

export interface TargetWish {
  readonly connectionId?: string;
  /** Makes a new connection, whatever the export is of. */
  readonly isNew?: boolean;
  /** What a new connection is called. One that exists keeps its name. */
  readonly name?: string;
  readonly account?: string;
}

export type FindSameAccount = (
  candidates: readonly Candidate[],
) => Promise<{ readonly connectionId: string; readonly matchedBy: MatchedBy } | undefined>;

/**
 * Chooses the connection for an export: the named one, else the one of the same account, else a new one. Access is
 * granted per connection, so without evidence that the account is the same, an export gets a connection of its own.
 * Connections that no import made (of the demo, or made by hand) are left alone unless they are named.
 */
export async function chooseTarget(
  store: ReadStore | WriteStore,
  declaration: CheckedDeclaration,
  wish: TargetWish,
  findSameAccount: FindSameAccount,
): Promise<Target> {
  const key = declaration.connector_key;
  const all = await store.catalog.listConnections();
  const use = (connectionId: string, matchedBy: MatchedBy): Target | undefined => {
    const known = all.find((one) => one.connection_id === connectionId);
    if (known === undefined) return undefined;
    if (known.connector_key !== key)
      throw new AppError('conflict', 'That connection is of another source.', {
        hint: 'Choose a connection of the same source, or leave out --connection.',
      });
    return { connectionId, name: known.display_name, outcome: 'same', matchedBy, others: [] };
  };
  const named = wish.connectionId === undefined ? undefined : use(wish.connectionId, 'request');
  if (named !== undefined) return named;
  const candidates = await listCandidates(store, key);
  if (wish.connectionId === undefined && wish.isNew !== true && candidates.length > 0) {
    const same = await findSameAccount(candidates);
    const target = same === undefined ? undefined : use(same.connectionId, same.matchedBy);
    if (target !== undefined) return target;
  }
  const name =
    wish.account === undefined ? declaration.display.name : `${declaration.display.name} (${wish.account})`;
  return {
    connectionId:
      wish.connectionId ?? makeConnectionId(key, wish.account, new Set(all.map((one) => one.connection_id))),
    name: makeFreeName(
      wish.name ?? name,
      all.map((one) => one.display_name),
    ),
    outcome: 'new',
    others: candidates.map(({ connectionId, name }) => ({ connection_id: connectionId, name })),
  };
}

/** Adds the declaration and a new connection. Returns the streams to write to, and what it added to an old one. */
export async function placeTarget(
  store: WriteStore,
  declaration: CheckedDeclaration,
  target: Target,
  account: string | undefined,
  now: Date,
): Promise<{ streams: ReadonlyMap<string, CatalogStream>; added?: { account: string } }> {
  await installSource(store, declaration, now);
  if (target.outcome === 'new') {
    const { connectionId: connection_id, name: display_name } = target;
    const { connector_key } = declaration;
    await addConnection(store, { connection_id, connector_key, display_name }, now);
  }
  const streams = () => readStreams(store, target.connectionId);
  if (account === undefined) return { streams: await streams() };
  const isFirst = await store.catalog.setFirstAccount(target.connectionId, account);
  return { streams: await streams(), ...(isFirst ? { added: { account } } : {}) };
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

const MAX_NAME_CHARACTERS = 200;

/**
 * A name that no other connection has: on the consent page and in every list the name is all that tells two apart.
 * The second "Bank" is "Bank 2". Letters that differ in size alone do not tell names apart.
 */
function makeFreeName(wished: string, taken: Iterable<string>): string {
  const known = new Set(Array.from(taken, fold));
  const name = wished.slice(0, MAX_NAME_CHARACTERS);
  if (!known.has(fold(name))) return name;
  for (let n = 2; ; n++) {
    const next = `${wished.slice(0, MAX_NAME_CHARACTERS - 1 - String(n).length)} ${n}`;
    if (!known.has(fold(next))) return next;
  }
}

const fold = (name: string) => name.trim().toLowerCase();

/** A connection that an export of the same source may belong to. */
export interface Candidate {
  readonly connectionId: string;
  readonly name: string;
  readonly account: string | undefined;
  readonly self: readonly string[];
  /** The zone that keys of its records were made in. Imports of earlier versions did not note it. */
  readonly keyZone: string | undefined;
}

/** Lists the connections of a source that imports made, the oldest first. */
export async function listCandidates(
  store: ReadStore | WriteStore,
  connectorKey: string,
): Promise<Candidate[]> {
  const rows = await store.imports.listConnections(connectorKey);
  return rows.map((row) => ({
    connectionId: row.connection_id,
    name: row.display_name,
    account: row.account ?? undefined,
    self: JSON.parse(row.self ?? '[]') as string[],
    keyZone: row.key_zone ?? undefined,
  }));
}
