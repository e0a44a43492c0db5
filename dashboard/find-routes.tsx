import type { Context, Hono } from 'hono';
import type { StoredNames } from '../src/views/name-apps.ts';
import { addPage } from './add-page.ts';
import type { Format } from './import-routes.tsx';
import { FindPage } from './pages/find.tsx';
import type { Frame } from './parts/layout.tsx';
import { appHref, connectionHref, NEW_ACCOUNT, streamHref } from './parts/links.ts';

/** A result of quick find. */
interface Findable {
  readonly kind: 'Page' | 'Connection' | 'Data' | 'App' | 'Format';
  readonly name: string;
  readonly detail: string;
  readonly href: string;
}

export interface FindView {
  readonly query: string;
  readonly results: readonly Findable[];
}

export interface FindRouteDeps {
  readonly names: () => Promise<StoredNames>;
  readonly formats: () => Promise<readonly Format[]>;
  /** Whether this server syncs accounts. */
  readonly hasAccounts: boolean;
  /** Returns the items that match a query, best first. */
  readonly rank: (items: readonly Findable[], query: string) => Findable[];
  readonly frame: (c: Context) => Frame | Promise<Frame>;
}

const PAGES: readonly [name: string, detail: string, href: string][] = [
  ['Overview', '', '/dashboard'],
  ['Connect an AI app', 'Claude, ChatGPT, Codex, Cursor', '/dashboard/connect'],
  ['Apps', 'What each app can read', '/dashboard/apps'],
  ['Activity', 'What apps have read', '/dashboard/activity'],
  ['Data', 'Search, import', '/dashboard/data'],
  ['How to get an export', 'Formats', '/dashboard/data/formats'],
  ['Settings', 'Passphrase, time zone, sign out', '/dashboard/settings'],
];

const ADD_ACCOUNT: Findable = {
  kind: 'Page',
  name: 'Add an account',
  detail: 'Mail, calendar, contacts, feeds',
  href: NEW_ACCOUNT,
};

/** /dashboard/find: pages, connections, streams, apps and formats by their names. */
export function addFindRoutes(app: Hono, { names, formats, hasAccounts, rank, frame }: FindRouteDeps): void {
  const find = async (query: string): Promise<FindView> => {
    if (query.trim() === '') return { query, results: [] };
    const items = listItems(await names(), await formats());
    return { query, results: rank(hasAccounts ? [ADD_ACCOUNT, ...items] : items, query) };
  };
  addPage(
    app,
    '/dashboard/find',
    (c) => find(c.req.query('q') ?? ''),
    async (view, c) => c.html(<FindPage view={view} frame={await frame(c)} />),
  );
}

function listItems({ connections, streams, apps }: StoredNames, formats: readonly Format[]): Findable[] {
  return [
    ...PAGES.map(([name, detail, href]): Findable => ({ kind: 'Page', name, detail, href })),
    ...connections.map(
      ({ connection_id, name }): Findable => ({
        kind: 'Connection',
        name,
        detail: connection_id,
        href: connectionHref(connection_id),
      }),
    ),
    ...apps.map(
      ({ grant_id, client }): Findable => ({
        kind: 'App',
        name: client,
        detail: '',
        href: appHref(grant_id),
      }),
    ),
    ...streams.map(
      ({ connection_id, stream, name, connection }): Findable => ({
        kind: 'Data',
        name,
        detail: connection,
        href: streamHref(connection_id, stream),
      }),
    ),
    ...formats.map(
      ({ format, title }): Findable => ({
        kind: 'Format',
        name: title,
        detail: '',
        href: `/dashboard/data/formats#${format}`,
      }),
    ),
  ];
}
