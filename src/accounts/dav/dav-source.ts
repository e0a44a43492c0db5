import { createMemoryFile } from '../../import/memory-file.ts';
import type { SyncItem, SyncRecord, SyncRun, SyncSource } from '../sync-source.ts';
import { createDavClient } from './dav-client.ts';
import { calendarKind, contactsKind, type DavKind } from './dav-kind.ts';
import { davFields, findServerOf, nameAccount, parseDavSettings, readDavSettings } from './dav-settings.ts';
import { type DavCollection, discoverCollections } from './discover.ts';
import { type FetchedObject, fetchObjects } from './fetch-objects.ts';
import { type CollectionState, type DavListing, type DavObject, listChanges } from './list-changes.ts';

export const caldavSource = createDavSource(calendarKind);
export const carddavSource = createDavSource(contactsKind);

function createDavSource(kind: DavKind): SyncSource {
  return {
    kind: kind.kind,
    title: kind.title,
    fields: davFields,
    isAddedOnPages: true,
    parseSettings: (given) => ({ ...parseDavSettings(given, findServerOf(kind.kind)) }),
    async check(context) {
      const collections = await discoverCollections(createDavClient(context), kind);
      return {
        account: nameAccount(readDavSettings(context.settings)),
        collections: collections.map(({ id, name }) => ({ id, name, isDefault: true })),
        notes: [],
      };
    },
    plan: async () => kind.plan,
    sync: (run) => syncCollections(kind, run),
  };
}

/** The changes that a run must make in a collection. */
interface Work {
  readonly collection: DavCollection;
  readonly listing: DavListing;
  readonly changed: readonly DavObject[];
  readonly removed: readonly string[];
}

async function* syncCollections(kind: DavKind, run: SyncRun): AsyncGenerator<SyncItem> {
  try {
    yield* readChanges(kind, run);
  } catch (error) {
    if (!run.signal.aborted) throw error;
  }
}

/**
 * Yields what is new or changed in all collections before anything is removed, so that an event that moves to another
 * calendar keeps its record. The tokens of this run are stored last: a run that ends early lists the same changes again.
 */
async function* readChanges(kind: DavKind, run: SyncRun): AsyncGenerator<SyncItem> {
  const client = createDavClient(run);
  const before = readState(run.state);
  const { user } = readDavSettings(run.settings);
  if (run.state === undefined && user.includes('@')) yield { kind: 'self', value: user };
  const collections = await discoverCollections(client, kind);
  const works: Work[] = [];
  for (const collection of collections) {
    if (run.collections?.includes(collection.id) === false) continue;
    const listing = await listChanges(client, kind, collection, before[collection.id]);
    if (listing !== 'unchanged')
      works.push({ collection, listing, ...(await compare(run, collection, listing)) });
  }

  const total = works.reduce((sum, { changed }) => sum + changed.length, 0);
  const next: Record<string, CollectionState> = { ...before };
  let done = 0;
  for (const { collection, listing, changed } of works) {
    let missing = 0;
    for (const batch of inBatches(changed)) {
      yield { kind: 'progress', done, total };
      missing += batch.length;
      for await (const object of fetchObjects(client, kind, collection, batch)) {
        missing -= 1;
        yield* readFetched(kind, run, collection, object);
      }
      done += batch.length;
      yield { kind: 'checkpoint', state: before };
    }
    next[collection.id] = listing.state;
    if (missing === 0) continue;
    // Without the token, the next run compares the whole list and fetches the missing objects again.
    delete next[collection.id];
    yield {
      kind: 'problem',
      place: collection.name,
      reason: `${missing} entries were not sent by the server`,
    };
  }
  for (const { collection, removed } of works)
    for (const item of removed) yield { kind: 'remove', collection: collection.id, item };
  const ids = new Set(collections.map(({ id }) => id));
  for (const collection of await run.items.collections()) {
    if (ids.has(collection)) continue;
    delete next[collection];
    yield { kind: 'reset', collection };
  }
  yield { kind: 'checkpoint', state: next };
}

/** Finds the objects of a listing whose versions are not stored, and the stored objects that are gone. */
async function compare(run: SyncRun, collection: DavCollection, { isWhole, objects, removed }: DavListing) {
  const changed: DavObject[] = [];
  if (!isWhole) {
    for (const batch of inBatches([...objects.values()])) {
      const known = await run.items.find(
        collection.id,
        batch.map(({ id }) => id),
      );
      changed.push(...batch.filter(({ id, etag }) => etag === undefined || known.get(id)?.version !== etag));
    }
    return { changed, removed: [...removed] };
  }
  const gone: string[] = [];
  const same = new Set<string>();
  for await (const { item, version } of run.items.list(collection.id)) {
    const object = objects.get(item);
    if (object === undefined) gone.push(item);
    else if (object.etag !== undefined && object.etag === version) same.add(item);
  }
  for (const object of objects.values()) if (!same.has(object.id)) changed.push(object);
  return { changed, removed: gone };
}

async function* readFetched(
  kind: DavKind,
  run: SyncRun,
  { id: collection, name }: DavCollection,
  object: FetchedObject,
): AsyncGenerator<SyncItem> {
  const item = object.id;
  if (object.kind === 'gone') yield { kind: 'remove', collection, item };
  else if (object.kind === 'too_large')
    yield { kind: 'problem', place: name, reason: 'an entry is larger than 32 MB' };
  else {
    const records: SyncRecord[] = [];
    let isDamaged = false;
    for await (const one of kind.read(createMemoryFile(name, object.text), run.timeZone, name)) {
      if (one.kind === 'record') records.push({ stream: one.stream, data: one.data });
      else if (one.kind === 'problem') {
        isDamaged = true;
        yield { kind: 'problem', place: name, reason: one.reason };
      }
    }
    // An unreadable object keeps its stored records.
    if (isDamaged && records.length === 0) return;
    const version = object.etag === undefined ? {} : { version: object.etag };
    yield { kind: 'put', collection, item, ...version, records };
  }
}

/** Objects between two checkpoints. */
const BATCH_OBJECTS = 500;

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += BATCH_OBJECTS) yield items.slice(at, at + BATCH_OBJECTS);
}

/** Returns the stored state: the states of collections by id. */
function readState(state: unknown): Readonly<Record<string, CollectionState>> {
  return (state ?? {}) as Readonly<Record<string, CollectionState>>;
}
