import type { AccountKind, SyncSource } from './sync-source.ts';

type LoadSource = () => Promise<SyncSource>;

/** All kinds of accounts with their sources, in display order. Loaded when needed, because clients are large. */
const sources: Partial<Record<AccountKind, LoadSource>> = {
  imap: async () => (await import('./imap/imap-source.ts')).createImapSource(),
  caldav: async () => (await import('./dav/dav-source.ts')).caldavSource,
  carddav: async () => (await import('./dav/dav-source.ts')).carddavSource,
  feed: async () => (await import('./feed/feed-source.ts')).feedSource,
  webdav: async () => (await import('./webdav/webdav-source.ts')).webdavSource,
  tap: async () => (await import('./tap/tap-source.ts')).createTapSource(),
};

/** The kinds that can be added. */
export const accountKinds = Object.keys(sources) as AccountKind[];

export function isAccountKind(kind: string): kind is AccountKind {
  return Object.hasOwn(sources, kind);
}

/** Returns the source of a kind. Throws if this version has none, as for an account that a newer version added. */
export async function loadSource(kind: AccountKind): Promise<SyncSource> {
  const load = sources[kind];
  if (load === undefined) throw new Error('an account has an unknown kind');
  return load();
}
