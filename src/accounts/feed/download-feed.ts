import { explainStatus } from '../dav/dav-errors.ts';
import type { SyncContext } from '../sync-source.ts';

/** Lets the server answer that nothing has changed. */
export interface FeedVersion {
  readonly etag?: string;
  readonly modified?: string;
}

export interface Download {
  readonly bytes: Uint8Array;
  readonly version: FeedVersion;
}

const MAX_BYTES = 32 * 2 ** 20;
const TIMEOUT_MS = 60_000;
const MAX_VERSION_CHARACTERS = 500;

/** Downloads a feed unless it is the version that is stored. Follows redirects to other public hosts. */
export async function downloadFeed(
  { network, signal }: SyncContext,
  url: URL,
  { etag, modified }: FeedVersion = {},
): Promise<Download | 'unchanged'> {
  const headers = {
    accept: 'text/calendar, application/atom+xml, application/rss+xml, application/feed+json, */*;q=0.5',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
  const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal, redirects: 'other-hosts' as const };
  const response = await network.fetch(url, { headers }, limits);
  if (response.status === 304) return 'unchanged';
  if (!response.ok) {
    await response.body?.cancel();
    throw explainStatus(response);
  }
  const version = (name: string) => {
    const value = response.headers.get(name);
    return value === null || value.length > MAX_VERSION_CHARACTERS ? undefined : value;
  };
  const [newTag, newTime] = [version('etag'), version('last-modified')];
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    version: {
      ...(newTag === undefined ? {} : { etag: newTag }),
      ...(newTime === undefined ? {} : { modified: newTime }),
    },
  };
}
