import { installSource } from '../../ingest/install-source.ts';
import { type CatalogStream, createStream, loadCatalog } from '../../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../../schema-index/check-declaration.ts';
import { addConnection } from '../../schema-index/edit-catalog.ts';
import { planSlots } from '../../schema-index/slot-plan.ts';
import type { ReadStore, WriteStore } from '../../store/store.ts';

export type MatchedBy = 'request' | 'account' | 'account_number' | 'owner' | 'records';

/** The connection that an export goes into. */
export interface Target {
  readonly connectionId: string;
  readonly name: string;
  readonly outcome: 'new' | 'same';
  readonly matchedBy?: MatchedBy;
  /** For a new connection: existing connections of the same source. */
  readonly others: readonly { readonly connection_id: string; readonly name: string }[];
}

/** What the owner chose. */
export interface TargetChoice {
  readonly connectionId?: string;
  /** Creates a new connection in any case. */
  readonly isNew?: boolean;
  /** The name of a new connection. An existing one keeps its name. */
  readonly name?: string;
}

/** Stores the declaration and a new connection. Returns the streams and whether the connection got its account. */
export async function createTarget(
  store: WriteStore,
  declaration: CheckedDeclaration,
  target: Target,
  account: string | undefined,
  now: Date,
): Promise<{ streams: ReadonlyMap<string, CatalogStream>; added?: { account: string } }> {
  const { connectionId } = target;
  await installSource(store, declaration, now);
  if (target.outcome === 'new') await addConnection(store, describeConnection(declaration, target), now);
  const isFirst = account !== undefined && (await store.catalog.setFirstAccount(connectionId, account));
  return { streams: await readStreams(store, connectionId), ...(isFirst ? { added: { account } } : {}) };
}

/** Returns the streams that `createTarget` would return. Streams that do not exist yet have negative ids. */
export async function planStreams(
  store: ReadStore,
  declaration: CheckedDeclaration,
  target: Target,
): Promise<ReadonlyMap<string, CatalogStream>> {
  const existing = await readStreams(store, target.connectionId);
  const connection = describeConnection(declaration, target);
  return new Map(
    declaration.streams.map((stream, index) => {
      const { plan, streamId = -1 - index } = existing.get(stream.name) ?? {};
      return [stream.name, createStream(connection, stream, streamId, planSlots(stream, plan))];
    }),
  );
}

const describeConnection = ({ connector_key }: CheckedDeclaration, { connectionId, name }: Target) => ({
  connection_id: connectionId,
  connector_key,
  display_name: name,
});

async function readStreams(
  store: ReadStore | WriteStore,
  connectionId: string,
): Promise<ReadonlyMap<string, CatalogStream>> {
  const { streams } = await loadCatalog(store);
  const own = streams.filter(({ connection }) => connection.connection_id === connectionId);
  return new Map(own.map((stream) => [stream.name, stream]));
}

/**
 * Returns an unused connection id made of the source and the account. An account without Latin letters is only numbered:
 * apps see ids, and could check guesses of its name against a hash.
 */
export function makeConnectionId(
  key: string,
  account: string | undefined,
  taken: ReadonlySet<string>,
): string {
  const slug = (account ?? '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const base = slug === '' ? key : `${key.slice(0, 30)}-${slug.slice(0, 24)}`;
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) if (!taken.has(`${base.slice(0, 58)}-${n}`)) return `${base.slice(0, 58)}-${n}`;
}

const MAX_NAME_CHARACTERS = 200;

/**
 * Returns a name that no other connection has, ignoring case: the second "Bank" is "Bank 2". Consent pages and lists
 * tell connections apart by name alone.
 */
export function makeFreeName(wished: string, taken: Iterable<string>): string {
  const fold = (name: string) => name.trim().toLowerCase();
  const known = new Set(Array.from(taken, fold));
  const name = wished.slice(0, MAX_NAME_CHARACTERS);
  if (!known.has(fold(name))) return name;
  for (let n = 2; ; n++) {
    const next = `${wished.slice(0, MAX_NAME_CHARACTERS - 1 - String(n).length)} ${n}`;
    if (!known.has(fold(next))) return next;
  }
}
