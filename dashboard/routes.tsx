import { type Context, Hono } from 'hono';
import type { AccountView } from '../src/accounts/account-view.ts';
import type { ConnectView } from '../src/views/connect.ts';
import type { Overview } from '../src/views/overview.ts';
import { type AccountRouteDeps, addAccountRoutes } from './account-routes.tsx';
import { addPage } from './add-page.ts';
import { type AppRouteDeps, addAppRoutes } from './app-routes.tsx';
import { addDataRoutes, type DataRouteDeps } from './data-routes.tsx';
import { addFindRoutes, type FindRouteDeps } from './find-routes.tsx';
import { addImportRoutes, type ImportRouteDeps } from './import-routes.tsx';
import { ConnectPage } from './pages/connect.tsx';
import { HomePage } from './pages/home.tsx';
import type { Frame } from './parts/layout.tsx';
import { addSettingsRoutes, type SettingsRouteDeps } from './settings-routes.tsx';

/** The overview with the accounts that need the owner. */
export type HomeView = Overview & { readonly accounts_with_problems: readonly AccountView[] };

export interface DashboardDeps {
  readonly frame: (c: Context) => Promise<Frame>;
  readonly readForm: (c: Context, maxBytes?: number) => Promise<URLSearchParams>;
  readonly overview: () => Promise<HomeView>;
  readonly connect: () => Promise<ConnectView>;
  readonly connectMarkdown: () => string;
  readonly markAlarmsSeen: () => Promise<void>;
  readonly apps: Omit<AppRouteDeps, 'frame' | 'readForm'>;
  readonly settings: Omit<SettingsRouteDeps, 'frame' | 'readForm'>;
  readonly data: Omit<DataRouteDeps, 'frame'>;
  readonly find: Omit<FindRouteDeps, 'frame' | 'formats' | 'hasAccounts'>;
  readonly imports: Omit<ImportRouteDeps, 'frame' | 'readForm'>;
  /** Absent if this server syncs no accounts. */
  readonly accounts?: Omit<AccountRouteDeps, 'frame' | 'readForm'> | undefined;
}

/** Paths of the owner's pages. The server must restrict them to the owner. */
export const OWNER_PATHS = ['/dashboard', '/dashboard.json', '/dashboard/*', '/r/*'] as const;

/** Creates the owner's pages. Each also exists as JSON with .json appended. */
export function createDashboard(deps: DashboardDeps): Hono {
  const { frame, readForm } = deps;
  const app = new Hono();
  addPage(app, '/dashboard', deps.overview, async (view, c) =>
    c.html(<HomePage view={view} frame={await frame(c)} />),
  );
  app.get('/dashboard/connect.md', (c) => showMarkdown(c, deps.connectMarkdown()));
  addPage(app, '/dashboard/connect', deps.connect, async (view, c) =>
    c.req.header('accept')?.includes('text/markdown')
      ? showMarkdown(c, deps.connectMarkdown())
      : c.html(<ConnectPage view={view} frame={await frame(c)} />),
  );
  app.post('/dashboard/alarms/seen', async (c) => {
    await readForm(c);
    await deps.markAlarmsSeen();
    return c.redirect('/dashboard', 303);
  });
  addAppRoutes(app, { ...deps.apps, frame, readForm });
  addSettingsRoutes(app, { ...deps.settings, frame, readForm });
  addImportRoutes(app, { ...deps.imports, frame, readForm });
  if (deps.accounts !== undefined) addAccountRoutes(app, { ...deps.accounts, frame, readForm });
  addDataRoutes(app, { ...deps.data, frame });
  const hasAccounts = deps.accounts !== undefined;
  addFindRoutes(app, { ...deps.find, formats: deps.imports.formats, hasAccounts, frame });
  return app;
}

function showMarkdown(c: Context, text: string): Response {
  return c.body(text, 200, { 'content-type': 'text/markdown; charset=utf-8' });
}
