import { SyncError } from '../sync-source.ts';
import type { DavClient, DavResource } from './dav-client.ts';
import type { DavKind } from './dav-kind.ts';
import { type DavCollection, isStatus, propfind, readPath } from './discover.ts';
import { escapeXml, readProperty } from './read-multistatus.ts';

export interface DavObject {
  /** The decoded path. */
  readonly id: string;
  /** The path as the server writes it. */
  readonly href: string;
  readonly etag: string | undefined;
}

export interface DavListing {
  /** Whether `objects` has the whole collection instead of only the changes. */
  readonly isWhole: boolean;
  readonly objects: ReadonlyMap<string, DavObject>;
  /** Ids of deleted objects. Empty if `isWhole`. */
  readonly removed: ReadonlySet<string>;
  /** For the next run. */
  readonly state: CollectionState;
}

export interface CollectionState {
  readonly token?: string;
  readonly ctag?: string;
}

const MAX_BYTES = 64 * 2 ** 20;
const MAX_OBJECTS = 100_000;
const MAX_ID_CHARACTERS = 1_000;
/** A server may return a long list in parts. */
const MAX_ROUNDS = 1_000;

/** Lists what changed since a state. Falls back to the whole list if the server refuses the token or has none. */
export async function listChanges(
  client: DavClient,
  kind: DavKind,
  collection: DavCollection,
  state: CollectionState | undefined,
): Promise<DavListing | 'unchanged'> {
  if (!collection.hasSyncToken) return listByTag(client, kind, collection, state);
  try {
    return await listByToken(client, collection, state?.token);
  } catch (error) {
    // RFC 6578 §3.2: 403 or 409 for an invalid token. Others say 400, 404, 410, 412 or 507.
    if (!isStatus(error, 400, 403, 404, 409, 410, 412, 415, 501, 507)) throw error;
    if (state?.token === undefined) return listByTag(client, kind, collection, undefined);
  }
  try {
    return await listByToken(client, collection, undefined);
  } catch (error) {
    if (!isStatus(error, 400, 403, 404, 409, 410, 412, 415, 501, 507)) throw error;
    return listByTag(client, kind, collection, undefined);
  }
}

async function listByToken(
  client: DavClient,
  collection: DavCollection,
  since: string | undefined,
): Promise<DavListing> {
  const objects = new Map<string, DavObject>();
  const removed = new Set<string>();
  let token = since ?? '';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const body = `<?xml version="1.0" encoding="utf-8"?><D:sync-collection xmlns:D="DAV:"><D:sync-token>${escapeXml(token)}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`;
    let isCut = false;
    const known = objects.size + removed.size;
    let next: string | undefined;
    for await (const part of client.report(collection.url, { depth: '0', body, maxBytes: MAX_BYTES })) {
      if (part.kind === 'token') next = part.token;
      if (part.kind !== 'resource') continue;
      const { resource } = part;
      const object = readObject(resource, collection);
      if (object === undefined) isCut ||= resource.status === 507;
      else if (resource.status === 404) {
        objects.delete(object.id);
        removed.add(object.id);
      } else {
        removed.delete(object.id);
        objects.set(object.id, object);
      }
      if (objects.size + removed.size > MAX_OBJECTS) throw tooMany();
    }
    const state = next === undefined || next === '' ? {} : { token: next };
    if (!isCut) return { isWhole: since === undefined, objects, removed, state };
    // A next part without a new token or new entries would repeat forever.
    if (next === undefined || next === token || objects.size + removed.size === known) break;
    token = next;
  }
  throw tooMany();
}

async function listByTag(
  client: DavClient,
  kind: DavKind,
  collection: DavCollection,
  state: CollectionState | undefined,
): Promise<DavListing | 'unchanged'> {
  const { ctag } = collection;
  if (ctag !== undefined && ctag === state?.ctag) return 'unchanged';
  const objects = new Map<string, DavObject>();
  const body = propfind(kind, ['getetag', 'resourcetype']);
  for await (const part of client.propfind(collection.url, { depth: '1', body, maxBytes: MAX_BYTES })) {
    const object = part.kind === 'resource' ? readObject(part.resource, collection) : undefined;
    if (object !== undefined) objects.set(object.id, object);
    if (objects.size > MAX_OBJECTS) throw tooMany();
  }
  return { isWhole: true, objects, removed: new Set(), state: ctag === undefined ? {} : { ctag } };
}

/** Returns an object inside the collection. Other addresses are never fetched. */
function readObject(resource: DavResource, collection: DavCollection): DavObject | undefined {
  const { url, properties } = resource;
  const id = readPath(url);
  const isInside = url.origin === collection.url.origin && id.startsWith(collection.id);
  const name = id.slice(collection.id.length);
  if (!isInside || name === '' || name.includes('/') || id.length > MAX_ID_CHARACTERS) return undefined;
  return { id, href: url.pathname, etag: readProperty(properties, 'getetag') };
}

const tooMany = () =>
  new SyncError(
    'too_large',
    `A collection has more than ${MAX_OBJECTS.toLocaleString('en')} entries.`,
    'Choose other collections, or import an export of this one.',
  );
