import { AppError } from '../errors.ts';
import type { WriteStore } from '../store/sqlite/open-store.ts';
import { MAX_STREAM_ID } from '../store/sqlite/rid.ts';
import { CONNECTOR_KEY, command, hint } from '../text/hint.ts';
import { type CatalogEditor, changeCatalog, readTimeZone, replaceTimeZone } from './catalog-store.ts';
import type { CheckedDeclaration } from './check-declaration.ts';
import { plainName, type StreamDeclaration } from './declaration.ts';
import { parseSlotPlan, planSlots } from './slot-plan.ts';

export interface SourceOutcome {
  readonly outcome: 'new' | 'changed' | 'same';
  /** Streams whose records hold fields that had no place before and have one now. */
  readonly replanned: readonly number[];
}

/**
 * Adds a source, or a newer declaration of it. A newer one may add streams and fields; it may not take
 * away or reinterpret any, because grants were frozen in terms of the older one.
 */
export function addSource(catalog: CatalogEditor, declaration: CheckedDeclaration, now: Date): SourceOutcome {
  const text = JSON.stringify(declaration);
  const { connector_key: key, declaration_version: version } = declaration;
  const before = catalog.findDeclaration(key);
  if (before === text) return { outcome: 'same', replanned: [] };
  if (before !== undefined) checkCompatible(JSON.parse(before) as CheckedDeclaration, declaration);
  catalog.putSource(key, text, version, now.toISOString());
  const connections = catalog.listConnectionIds(key);
  const replanned = connections.flatMap((id) => placeStreams(catalog, id, declaration.streams));
  if (before !== undefined) for (const id of connections) catalog.rebuildLargeRecords(id);
  return { outcome: before === undefined ? 'new' : 'changed', replanned };
}

/** Adds one account of a source. Adding the same one again only renames it. */
export async function addConnection(
  store: WriteStore,
  connection: { connection_id: string; connector_key: string; display_name: string },
  now: Date,
): Promise<'new' | 'same'> {
  const { connection_id: id, connector_key: key, display_name: name } = connection;
  if (!plainName.safeParse(id).success) {
    throw new AppError(
      'invalid_argument',
      'A connection id is a-z, 0-9, _ or -, at most 64, beginning with a letter.',
    );
  }
  checkName(name);
  return changeCatalog(store, (catalog) => {
    const declaration = catalog.findDeclaration(key);
    if (declaration === undefined) {
      throw new AppError('not_found', 'There is no source with that connector key.', {
        hint: hint`Add it: ${command('source add', 'FILE')}`,
      });
    }
    const existing = catalog.findConnector(id);
    if (existing !== undefined && existing !== key) {
      throw new AppError('conflict', 'That connection id belongs to another source.', {
        hint: 'Choose another --id.',
      });
    }
    catalog.putConnection(id, key, name, now.toISOString());
    placeStreams(catalog, id, (JSON.parse(declaration) as CheckedDeclaration).streams);
    return existing === undefined ? 'new' : 'same';
  });
}

export async function renameConnection(store: WriteStore, id: string, name: string): Promise<void> {
  checkName(name);
  await changeCatalog(store, (catalog) => {
    if (!catalog.renameConnection(id, name)) throw noConnection();
  });
}

/**
 * Adds names by which an account calls its owner (ids, names, addresses) and returns the new ones. The list has no size
 * limit: names from hidden records could otherwise push out those from visible ones.
 */
export async function addSelf(store: WriteStore, id: string, self: readonly string[]): Promise<string[]> {
  if (self.length === 0) return [];
  return changeCatalog(store, (catalog) => {
    const before = readSelf(catalog, id);
    writeSelf(catalog, id, [...new Set([...before, ...self])]);
    return self.filter((name) => !before.includes(name));
  });
}

/** Takes out what an import had added to a connection: names of its owner, and which account it is. */
export async function removeAdded(
  store: WriteStore,
  id: string,
  added: { readonly account?: string; readonly self: readonly string[] },
): Promise<void> {
  await changeCatalog(store, (catalog) => {
    const left = readSelf(catalog, id).filter((name) => !added.self.includes(name));
    writeSelf(catalog, id, left);
    catalog.removeAccount(id, added.account);
  });
}

function readSelf(catalog: CatalogEditor, id: string): string[] {
  const known = catalog.findSelf(id);
  if (known === undefined) throw noConnection();
  return JSON.parse(known ?? '[]') as string[];
}

function writeSelf(catalog: CatalogEditor, id: string, self: readonly string[]): void {
  catalog.writeSelf(id, self.length === 0 ? null : JSON.stringify(self));
}

/** Removes a connection from the catalog, and its source if it was the last one. Its streams are erased later. */
export async function dropConnection(store: WriteStore, id: string, now: Date): Promise<void> {
  await changeCatalog(store, (catalog) => {
    const key = catalog.findConnector(id);
    if (key === undefined) throw noConnection();
    catalog.removeConnection(id, key, now.toISOString());
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
  // Every start of a server comes by here; one that changes nothing must not have to write first.
  if ((await readTimeZone(store)) !== undefined) return;
  await changeCatalog(store, (catalog) => catalog.addTimeZone(timeZone));
}

/** Changes the owner's time zone in a transaction of its own. Returns whether it was another one. */
export function changeTimeZone(store: WriteStore, timeZone: string): Promise<boolean> {
  return store.transact(() => placeTimeZone(store, timeZone));
}

/**
 * Changes the owner's time zone, inside a transaction. Stored times without a zone keep their meaning. Returns whether it
 * was another one.
 */
export async function placeTimeZone(store: WriteStore, timeZone: string): Promise<boolean> {
  const before = await readTimeZone(store);
  if (before === timeZone) return false;
  await replaceTimeZone(store, before, timeZone);
  return true;
}

/** Gives every declared stream its number and its plan; returns the numbers of those whose plan has grown. */
function placeStreams(
  catalog: CatalogEditor,
  connectionId: string,
  streams: readonly StreamDeclaration[],
): number[] {
  return streams.flatMap((stream) => {
    const row = catalog.findStream(connectionId, stream.name);
    const plan = JSON.stringify(planSlots(stream, row === undefined ? undefined : parseSlotPlan(row.plan)));
    if (row === undefined) {
      const streamId = catalog.nextStreamId();
      if (streamId > MAX_STREAM_ID) throw new AppError('conflict', 'The store is full of streams.');
      catalog.addStream({ stream_id: streamId, connection_id: connectionId, stream: stream.name, plan });
      return [];
    }
    if (row.plan === plan) return [];
    catalog.writePlan(row.stream_id, plan);
    return [row.stream_id];
  });
}

/** What a newer declaration takes away or changes of a stored one, which it must not. */
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
    'A newer declaration may add streams and fields, not take away or retype any.',
    {
      hint: hint`Grants name streams and fields of the declaration at hand. Use a new ${CONNECTOR_KEY}.`,
      problems: problems.slice(0, 20),
    },
  );
}
