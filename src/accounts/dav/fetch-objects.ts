import { SyncError } from '../sync-source.ts';
import type { DavClient } from './dav-client.ts';
import type { DavKind } from './dav-kind.ts';
import { type DavCollection, readPath } from './discover.ts';
import type { DavObject } from './list-changes.ts';
import { escapeXml, readProperty } from './read-multistatus.ts';

export type FetchedObject =
  | { readonly kind: 'object'; readonly id: string; readonly etag: string | undefined; readonly text: string }
  | { readonly kind: 'gone'; readonly id: string }
  | { readonly kind: 'too_large'; readonly id: string };

/** Objects of one request. Pictures in contacts can be some megabytes each. */
const MAX_BATCH = 50;
const MAX_BYTES = 32 * 2 ** 20;

/** Fetches objects in batches (RFC 4791 §7.9, RFC 6352 §8.7). Objects that the server leaves out are not yielded. */
export async function* fetchObjects(
  client: DavClient,
  kind: DavKind,
  collection: DavCollection,
  objects: readonly DavObject[],
): AsyncGenerator<FetchedObject> {
  for (let at = 0; at < objects.length; at += MAX_BATCH)
    yield* fetchBatch(client, kind, collection, objects.slice(at, at + MAX_BATCH));
}

async function* fetchBatch(
  client: DavClient,
  kind: DavKind,
  collection: DavCollection,
  objects: readonly DavObject[],
): AsyncGenerator<FetchedObject> {
  const pending = new Map(objects.map((object) => [object.id, object]));
  const hrefs = objects.map(({ href }) => `<D:href>${escapeXml(href)}</D:href>`).join('');
  const body = `<?xml version="1.0" encoding="utf-8"?><K:${kind.multiget} xmlns:D="DAV:" xmlns:K="${kind.namespace}"><D:prop><D:getetag/><K:${kind.data}/></D:prop>${hrefs}</K:${kind.multiget}>`;
  try {
    for await (const part of client.report(collection.url, { depth: '1', body, maxBytes: MAX_BYTES })) {
      if (part.kind !== 'resource') continue;
      const { url, status, properties } = part.resource;
      const id = readPath(url);
      const asked = pending.get(id);
      // Skips objects that were not requested, and duplicates.
      if (asked === undefined) continue;
      const text = readProperty(properties, kind.data);
      if (text === undefined && status !== 404) continue;
      pending.delete(id);
      yield text === undefined
        ? { kind: 'gone', id }
        : { kind: 'object', id, etag: readProperty(properties, 'getetag') ?? asked.etag, text };
    }
  } catch (error) {
    if (!(error instanceof SyncError) || error.code !== 'too_large') throw error;
    const rest = [...pending.values()];
    if (rest.length === 1) yield { kind: 'too_large', id: rest[0]?.id as string };
    const half = Math.ceil(rest.length / 2);
    if (rest.length > 1)
      for (const some of [rest.slice(0, half), rest.slice(half)])
        yield* fetchBatch(client, kind, collection, some);
  }
}
