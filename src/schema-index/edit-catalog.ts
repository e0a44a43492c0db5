import { AppError } from '../errors.ts';
import { type CatalogStore, MAX_STREAM_ID } from '../store/catalog-store.ts';
import type { WriteStore } from '../store/store.ts';
import { CONNECTOR_KEY, command, hint } from '../text/hint.ts';
import type { CheckedDeclaration } from './check-declaration.ts';
import { plainName, type StreamDeclaration } from './declaration.ts';
import { parseSlotPlan, planSlots } from './slot-plan.ts';

export interface SourceOutcome {
  readonly outcome: 'new' | 'changed' | 'same';
  /** Streams with fields that got a slot now. */
  readonly replanned: readonly number[];
}

/**
 * Adds a source, or a newer declaration of it. A newer one may add streams and fields; it may not remove or change any,
 * because grants name those of the older one.
 */
export async function addSource(
  catalog: CatalogStore,
  declaration: CheckedDeclaration,
  now: Date,
): Promise<SourceOutcome> {
  const text = JSON.stringify(declaration);
  const { connector_key: key, declaration_version: version } = declaration;
  const before = await catalog.findDeclaration(key);
  if (before === text) return { outcome: 'same', replanned: [] };
  if (before !== undefined) checkCompatible(JSON.parse(before) as CheckedDeclaration, declaration);
  await catalog.putSource(key, text, version, now.toISOString());
  const connections = (await catalog.listConnections()).filter((one) => one.connector_key === key);
  const replanned: number[] = [];
  for (const { connection_id: id } of connections) {
    replanned.push(...(await writeStreams(catalog, id, declaration.streams)));
    if (before !== undefined) await catalog.rebuildLargeRecords(id);
  }
  return { outcome: before === undefined ? 'new' : 'changed', replanned };
}

/** Adds one account of a source. Adding it again renames it. */
export async function addConnection(
  store: WriteStore,
  connection: { connection_id: string; connector_key: string; display_name: string },
  now: Date,
): Promise<'new' | 'same'> {
  const { connection_id: id, connector_key: key, display_name: name } = connection;
  if (!plainName.safeParse(id).success) {
    throw new AppError(
      'invalid_argument',
      'A connection id begins with a letter and has up to 64 of these characters: a-z, 0-9, _ and -.',
    );
  }
  checkName(name);
  return changeCatalog(store, async (catalog) => {
    const declaration = await catalog.findDeclaration(key);
    if (declaration === undefined) {
      throw new AppError('not_found', 'There is no source with that connector key.', {
        hint: hint`Add it: ${command('source add', 'FILE')}`,
      });
    }
    const existing = await catalog.findConnection(id);
    if (existing !== undefined && existing.connector_key !== key) {
      throw new AppError('conflict', 'That connection id belongs to another source.', {
        hint: 'Choose another --id.',
      });
    }
    await catalog.putConnection({
      connection_id: id,
      connector_key: key,
      display_name: name,
      created_at: now.toISOString(),
    });
    await writeStreams(catalog, id, (JSON.parse(declaration) as CheckedDeclaration).streams);
    return existing === undefined ? 'new' : 'same';
  });
}

export async function renameConnection(store: WriteStore, id: string, name: string): Promise<void> {
  checkName(name);
  await changeCatalog(store, async (catalog) => {
    if (!(await catalog.renameConnection(id, name))) throw noConnection();
  });
}

/**
 * Adds ids, names and addresses of the owner in an account, and returns the new ones. The list has no size limit: names
 * from hidden records could otherwise push out those from visible ones.
 */
export async function addSelf(store: WriteStore, id: string, self: readonly string[]): Promise<string[]> {
  if (self.length === 0) return [];
  return changeCatalog(store, async (catalog) => {
    const before = await readSelf(catalog, id);
    await writeSelf(catalog, id, [...new Set([...before, ...self])]);
    return self.filter((name) => !before.includes(name));
  });
}

/** Removes what an import had added to a connection: names of its owner, and the account id. */
export async function removeAdded(
  store: WriteStore,
  id: string,
  added: { readonly account?: string; readonly self: readonly string[] },
): Promise<void> {
  await changeCatalog(store, async (catalog) => {
    const left = (await readSelf(catalog, id)).filter((name) => !added.self.includes(name));
    await writeSelf(catalog, id, left);
    if (added.account !== undefined) await catalog.removeAccount(id, added.account);
  });
}

async function readSelf(catalog: CatalogStore, id: string): Promise<string[]> {
  const connection = await catalog.findConnection(id);
  if (connection === undefined) throw noConnection();
  return JSON.parse(connection.self ?? '[]') as string[];
}

async function writeSelf(catalog: CatalogStore, id: string, self: readonly string[]): Promise<void> {
  await catalog.setSelf(id, self.length === 0 ? null : JSON.stringify(self));
}

/** Removes a connection from the catalog, and its source with the last connection. Its streams are erased later. */
export async function dropConnection(store: WriteStore, id: string, now: Date): Promise<void> {
  await changeCatalog(store, async (catalog) => {
    const connection = await catalog.findConnection(id);
    if (connection === undefined) throw noConnection();
    await catalog.removeConnection(id, connection.connector_key, now.toISOString());
  });
}

export function noConnection(): AppError {
  return new AppError('unknown_connection', 'There is no such connection.', {
    hint: [command('connection list')],
  });
}

function checkName(name: string): void {
  if (name.length === 0 || name.length > 200)
    throw new AppError('invalid_argument', 'A name has 1 to 200 characters.');
}

/** Sets the owner's time zone when the store is first used. */
export async function setTimeZone(store: WriteStore, timeZone: string): Promise<void> {
  // Runs at every start of the server, which must not need to write.
  if ((await store.catalog.zones()).timeZone !== undefined) return;
  await changeCatalog(store, async (catalog) => catalog.addTimeZone(timeZone));
}

/** Changes the owner's time zone in its own transaction. Returns whether it changed. */
export function changeTimeZone(store: WriteStore, timeZone: string): Promise<boolean> {
  return store.transact(() => writeTimeZone(store, timeZone));
}

/** Changes the owner's time zone inside a transaction of the caller. Stored times without a zone keep their meaning. */
export async function writeTimeZone(store: WriteStore, timeZone: string): Promise<boolean> {
  const { timeZone: before } = await store.catalog.zones();
  if (before === timeZone) return false;
  await store.catalog.replaceTimeZone(before, timeZone);
  await store.catalog.raiseVersion();
  return true;
}

/** Changes the catalog in one transaction. */
export function changeCatalog<T>(store: WriteStore, work: (catalog: CatalogStore) => Promise<T>): Promise<T> {
  return store.transact(async () => {
    const result = await work(store.catalog);
    await store.catalog.raiseVersion();
    return result;
  });
}

/** Gives every declared stream an id and a slot plan; returns the ids of streams whose plan has grown. */
async function writeStreams(
  catalog: CatalogStore,
  connectionId: string,
  streams: readonly StreamDeclaration[],
): Promise<number[]> {
  const grown: number[] = [];
  for (const stream of streams) {
    const row = await catalog.findStream(connectionId, stream.name);
    const plan = JSON.stringify(planSlots(stream, row === undefined ? undefined : parseSlotPlan(row.plan)));
    if (row === undefined) {
      const streamId = await catalog.nextStreamId();
      if (streamId > MAX_STREAM_ID)
        throw new AppError('conflict', 'The store already has the maximum number of streams.');
      const ids = { stream_id: streamId, connection_id: connectionId };
      await catalog.addStream({ ...ids, stream: stream.name, plan });
    } else if (row.plan !== plan) {
      await catalog.setPlan(row.stream_id, plan);
      grown.push(row.stream_id);
    }
  }
  return grown;
}

/** Lists what a newer declaration removes or changes, which it must not. */
export function listConflicts(before: CheckedDeclaration, after: CheckedDeclaration): string[] {
  return before.streams.flatMap((old) => {
    const stream = after.streams.find((one) => one.name === old.name);
    if (stream === undefined) return [`streams.${old.name}: is gone`];
    const changed = (['primary_key', 'consent_time_field', 'cursor_field'] as const)
      .filter((part) => JSON.stringify(old[part]) !== JSON.stringify(stream[part]))
      .map((part) => `streams.${old.name}.${part}: has changed`);
    const properties = stream.schema.properties as Record<string, { type?: unknown; format?: unknown }>;
    const fields = Object.entries(old.schema.properties as typeof properties)
      .filter(([name, schema]) => {
        const now = Object.hasOwn(properties, name) ? properties[name] : undefined;
        return JSON.stringify([schema.type, schema.format]) !== JSON.stringify([now?.type, now?.format]);
      })
      .map(([name]) => `streams.${old.name}.schema.properties.${name}: is gone or has another type`);
    return [...changed, ...fields];
  });
}

function checkCompatible(before: CheckedDeclaration, after: CheckedDeclaration): void {
  const problems = listConflicts(before, after);
  if (problems.length === 0) return;
  throw new AppError(
    'conflict',
    'A newer declaration may add streams and fields, but not remove or retype any.',
    {
      hint: hint`Grants refer to streams and fields of the current declaration. Use a new ${CONNECTOR_KEY}.`,
      problems: problems.slice(0, 20),
    },
  );
}
