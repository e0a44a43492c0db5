import type { DavClient } from '../dav/dav-client.ts';
import { propfind, readPath } from '../dav/discover.ts';
import { findProperty, readProperty } from '../dav/read-multistatus.ts';
import { SyncError } from '../sync-source.ts';

export interface RemoteFile {
  /** The name in the folder. It contains no slash. */
  readonly name: string;
  readonly url: URL;
  /** Changes with the content. */
  readonly version: string;
  /** As the server announces it. */
  readonly bytes: number | undefined;
}

const MAX_LIST_BYTES = 16 * 2 ** 20;
const MAX_FILES = 2_000;
/** Names of incomplete and hidden files. */
const UNFINISHED = /^\.|\.(?:part|partial|crdownload|download|tmp|filepart)$/i;

/** Lists the files directly in a folder. Files in folders below it, or elsewhere, are left out. */
export async function listFolder(client: DavClient): Promise<RemoteFile[]> {
  const folder = new URL(client.server.href.replace(/\/*$/, '/'));
  const path = readPath(folder);
  const files = new Map<string, RemoteFile>();
  const body = propfind({ namespace: 'DAV:' }, [
    'resourcetype',
    'getetag',
    'getcontentlength',
    'getlastmodified',
  ]);
  for await (const part of client.propfind(folder, { depth: '1', body, maxBytes: MAX_LIST_BYTES })) {
    if (part.kind !== 'resource') continue;
    const { url, properties } = part.resource;
    const whole = readPath(url);
    const name = whole.slice(path.length);
    if (url.origin !== folder.origin || !whole.startsWith(path) || !isFileName(name)) continue;
    if (findProperty(properties, 'resourcetype')?.children.some((type) => type.name === 'collection'))
      continue;
    const length = Number(readProperty(properties, 'getcontentlength') ?? Number.NaN);
    const etag = readProperty(properties, 'getetag');
    const version = etag ?? `${length} ${readProperty(properties, 'getlastmodified') ?? ''}`;
    const bytes = Number.isSafeInteger(length) && length >= 0 ? length : undefined;
    files.set(name, { name, url, version: version.slice(0, 500), bytes });
    if (files.size > MAX_FILES)
      throw new SyncError(
        'too_large',
        `The folder contains more than ${MAX_FILES} files.`,
        'Give the address of a folder that only contains exports.',
      );
  }
  return [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isFileName(name: string): boolean {
  return name !== '' && name.length <= 200 && !/[/\\]|\p{Cc}/u.test(name) && !UNFINISHED.test(name);
}
