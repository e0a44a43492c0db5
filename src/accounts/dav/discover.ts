import { findAll, findText } from '../../sources/files/xml-tree.ts';
import { protocolError } from '../network/network-errors.ts';
import { SyncError } from '../sync-source.ts';
import type { DavClient, DavPart, DavResource } from './dav-client.ts';
import { StatusError } from './dav-errors.ts';
import type { DavKind } from './dav-kind.ts';
import { findProperty, readProperty } from './read-multistatus.ts';

export interface DavCollection {
  /** The decoded path. It stays the same when the provider moves the user to another host. */
  readonly id: string;
  readonly url: URL;
  readonly name: string;
  /** Whether the server reports changes since a token (RFC 6578). */
  readonly hasSyncToken: boolean;
  /** Changes whenever anything in the collection changes. */
  readonly ctag: string | undefined;
}

const MAX_BYTES = 4 * 2 ** 20;
const MAX_COLLECTIONS = 500;
const MAX_HOMES = 10;
const MAX_NAME_CHARACTERS = 200;

/** Finds the collections of the user: by the well-known address (RFC 6764), the principal and its home. */
export async function discoverCollections(client: DavClient, kind: DavKind): Promise<DavCollection[]> {
  const { url, resource } = await findStart(client, kind);
  if (resource !== undefined && isCollection(resource, kind)) return [readCollection(resource)];
  const principal = resource && readHref(resource, 'current-user-principal', url);
  const homes = principal === undefined ? [url] : await listHomes(client, kind, principal);
  const found = new Map<string, DavCollection>();
  for (const home of homes.slice(0, MAX_HOMES))
    for await (const one of listCollections(client, kind, home)) {
      if (found.size >= MAX_COLLECTIONS) throw tooMany();
      found.set(one.id, one);
    }
  if (found.size === 0)
    throw new SyncError(
      'not_found',
      `The server has no ${kind.collections} at this address.`,
      'Check the address, or give the address of one collection.',
    );
  return [...found.values()];
}

const tooMany = () =>
  new SyncError(
    'too_large',
    'The server lists too many collections.',
    'Give the address of one collection instead.',
  );

/** Asks the well-known address if the owner gave only a host, and otherwise the given address first. */
async function findStart(client: DavClient, kind: DavKind) {
  const { server } = client;
  const wellKnown = new URL(`/.well-known/${kind.kind}`, server);
  const isHost = server.pathname === '/';
  try {
    return await readStart(client, kind, isHost ? wellKnown : server);
  } catch (error) {
    const isAbsent = error instanceof SyncError && (error.code === 'not_found' || error.code === 'protocol');
    if (!isAbsent) throw error;
    return await readStart(client, kind, isHost ? server : wellKnown);
  }
}

async function readStart(client: DavClient, kind: DavKind, at: URL) {
  const body = propfind(kind, [
    'resourcetype',
    'displayname',
    'current-user-principal',
    ...COLLECTION_PROPERTIES,
  ]);
  const { url, resources } = await collect(client.discover(at, { depth: '0', body, maxBytes: MAX_BYTES }));
  return { url: url ?? at, resource: resources[0] };
}

async function listHomes(client: DavClient, kind: DavKind, principal: URL): Promise<URL[]> {
  const body = propfind(kind, [`K:${kind.home}`]);
  const request = client.propfind(checkTrusted(client, principal), { depth: '0', body, maxBytes: MAX_BYTES });
  const { url, resources } = await collect(request);
  const homes = resources.flatMap(({ properties }) => {
    const home = findProperty(properties, kind.home);
    return home === undefined ? [] : findAll(home, 'href').map(({ text }) => text.trim());
  });
  if (homes.length === 0)
    throw new SyncError(
      'not_found',
      `The user has no ${kind.collections} on this server.`,
      'Check the user name and the address.',
    );
  const base = url ?? principal;
  return homes.filter((href) => URL.canParse(href, base.href)).map((href) => new URL(href, base));
}

const COLLECTION_PROPERTIES = [
  'S:getctag',
  'sync-token',
  'supported-report-set',
  'K:supported-calendar-component-set',
];

async function* listCollections(client: DavClient, kind: DavKind, home: URL): AsyncGenerator<DavCollection> {
  const body = propfind(kind, ['resourcetype', 'displayname', ...COLLECTION_PROPERTIES]);
  const parts = client.propfind(checkTrusted(client, home), { depth: '1', body, maxBytes: MAX_BYTES });
  for await (const part of parts) {
    if (part.kind !== 'resource' || !isCollection(part.resource, kind)) continue;
    if (client.isTrusted(part.resource.url)) yield readCollection(part.resource);
  }
}

function checkTrusted(client: DavClient, url: URL): URL {
  if (!client.isTrusted(url))
    throw new SyncError(
      'protocol',
      'The server refers to another server, which would receive the password.',
      'Give the address of that server, if you trust it.',
    );
  return url;
}

function isCollection({ properties }: DavResource, kind: DavKind): boolean {
  const type = findProperty(properties, 'resourcetype');
  return type?.children.some(({ name }) => name === kind.resourceType) ?? false;
}

function readCollection({ url, properties }: DavResource): DavCollection {
  const id = readPath(url);
  const reports = findProperty(properties, 'supported-report-set');
  const supported = reports && findAll(reports, 'supported-report', 'report');
  const isListed = supported?.some(({ children }) => children.some(({ name }) => name === 'sync-collection'));
  const last = id.split('/').findLast((part) => part !== '') ?? id;
  return {
    id,
    url,
    name: (readProperty(properties, 'displayname') ?? last).slice(0, MAX_NAME_CHARACTERS),
    hasSyncToken: isListed ?? readProperty(properties, 'sync-token') !== undefined,
    ctag: readProperty(properties, 'getctag'),
  };
}

function readHref({ properties }: DavResource, name: string, base: URL): URL | undefined {
  const property = findProperty(properties, name);
  const href = property && findText(property, 'href');
  return href !== undefined && URL.canParse(href, base.href) ? new URL(href, base) : undefined;
}

/** Servers encode the same path differently: `%40` or `@`. */
export function readPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

export function propfind({ namespace }: Pick<DavKind, 'namespace'>, properties: readonly string[]): string {
  const names = properties.map((name) => `<${name.includes(':') ? name : `D:${name}`}/>`).join('');
  const spaces = `xmlns:D="DAV:" xmlns:K="${namespace}" xmlns:S="http://calendarserver.org/ns/"`;
  return `<?xml version="1.0" encoding="utf-8"?><D:propfind ${spaces}><D:prop>${names}</D:prop></D:propfind>`;
}

async function collect(parts: AsyncIterable<DavPart>) {
  let url: URL | undefined;
  const resources: DavResource[] = [];
  for await (const part of parts) {
    if (part.kind === 'url') url = part.url;
    if (part.kind === 'resource' && resources.length < MAX_COLLECTIONS) resources.push(part.resource);
  }
  if (resources.some(({ status }) => status === 404))
    throw protocolError('The server has nothing at this address.');
  return { url, resources };
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof StatusError && statuses.includes(error.status);
