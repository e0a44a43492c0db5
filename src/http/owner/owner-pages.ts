import { type Context, Hono } from 'hono';
import { createDashboard, OWNER_PATHS } from '../../../dashboard/routes.tsx';
import { describeDamage, markAlarmsSeen, readAlarms } from '../../audit/alarms.ts';
import { createAppChanges } from '../../grants/change-grant.ts';
import { createCommandFormat } from '../../guide/command-name.ts';
import { createGuide } from '../../guide/connect-guide.ts';
import { writeGuideMarkdown } from '../../guide/guide-text.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { loadImporters } from '../../sources/load-importers.ts';
import { withCommands } from '../../text/hint.ts';
import { escapeAnswer } from '../../text/json.ts';
import { rankByName } from '../../text/suggest.ts';
import { viewActivity, writeActivityCsv } from '../../views/activity/activity.ts';
import { viewApp } from '../../views/app.ts';
import { viewApps } from '../../views/apps.ts';
import { viewConnect } from '../../views/connect.ts';
import { createDataViews } from '../../views/data-views.ts';
import { listMissingAccess, listNames, listReaders } from '../../views/name-apps.ts';
import { viewOverview } from '../../views/overview.ts';
import { writeMarkdown } from '../../views/record-markdown.ts';
import { setPageHeaders } from '../page-headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createAccessRoutes } from './access-routes.tsx';
import { createAccountPages, describeLongFailures, listAccountsWithProblems } from './account-pages.ts';
import { createImportPages, viewImports } from './import-pages.ts';
import { createSettingsPages } from './settings-pages.ts';

/** Serves the dashboard and the pages of records to the signed-in owner. */
export function createOwnerPages(deps: RouteDeps): Hono {
  const { owner } = deps;
  const demo = createCommandFormat(deps.invocation)('demo');
  const listAlarms = createAlarmList(deps);
  const frame = async (c: Context) => ({
    csrf: owner.csrf(c),
    alarms: await listAlarms({ withAccounts: !isViewedAsApp(c) }),
    demo,
    hasAccounts: deps.accounts !== undefined,
  });
  const app = new Hono();
  app.on('GET', ['/dashboard.json', '/dashboard/*', '/r/*'], async (c, next) => {
    await next();
    if (c.res.headers.get('content-type')?.startsWith('application/json')) c.res = await escapeAnswer(c.res);
  });
  for (const path of OWNER_PATHS) {
    app.use(path, async (c, next) => {
      setPageHeaders(c);
      return owner.requireOwner(c, next);
    });
  }
  app.route('/', createAccessRoutes(deps, frame));
  app.route('/', createDashboard({ ...createDashboardDeps(deps), frame }));
  return app;
}

/** A page that is viewed as an app shows nothing that the app cannot read, and no app can read accounts. */
function isViewedAsApp(c: Context): boolean {
  return (c.req.query('as') ?? '').trim() !== '';
}

function createAlarmList({ store, accounts, damaged, invocation, now }: RouteDeps) {
  const formatPart = withCommands(createCommandFormat(invocation));
  return async ({ withAccounts }: { readonly withAccounts: boolean }) => {
    const damage = describeDamage(damaged, now(), formatPart);
    try {
      const failing = withAccounts ? describeLongFailures((await accounts?.list()) ?? [], now()) : [];
      return [...damage, ...failing, ...(await readAlarms(store, formatPart))];
    } catch (error) {
      // If the event log itself is damaged, the page still reports the damage.
      if (damage.length === 0) throw error;
      return damage;
    }
  };
}

/** Connects each page of the dashboard to the function that reads its data. */
function createDashboardDeps(deps: RouteDeps): Omit<Parameters<typeof createDashboard>[0], 'frame'> {
  const { store, imports, accounts, publicUrl, owner, runRead, writeEvent, invocation, now } = deps;
  const guide = createGuide(publicUrl, invocation);
  const views = createDataViews({ store: store.read, run: runRead, now });
  const importPages = createImportPages({ store, imports, owner, loadImporters, now });
  const listAccounts = async () => (await accounts?.list()) ?? [];
  return {
    readForm: (c, maxBytes) => owner.readForm(c, maxBytes),
    overview: async () => ({
      ...(await viewOverview(store, publicUrl, now())),
      accounts_with_problems: listAccountsWithProblems(await listAccounts()),
    }),
    connect: () => viewConnect(store, guide, now()),
    connectMarkdown: () => writeGuideMarkdown(guide),
    markAlarmsSeen: () => markAlarmsSeen(store),
    apps: {
      views: {
        apps: () => viewApps(store, now()),
        app: (grantId) => viewApp(store, grantId, now()),
        activity: (query) => viewActivity(store, query, now()),
        activityCsv: (query) => writeActivityCsv(store, query),
      },
      changes: createAppChanges({ write: store.write, writeEvent, now }),
    },
    settings: createSettingsPages(deps),
    data: { views, writeMarkdown, imports: () => viewImports(store, imports), accounts: listAccounts },
    find: { names: () => listNames(store.read, now()), rank: rankByName },
    imports: {
      ...importPages,
      missingAccess: (ids) => listMissingAccess(store.read, ids, now()),
      connection: async (id) => ({
        ...(await views.connection(id)),
        apps: await listReaders(store.read, id, now()),
        wider: await listMissingAccess(store.read, [id], now()),
        time_zone: (await loadCatalog(store.read)).timeZone,
        accounts: (await listAccounts()).filter(({ connection_id }) => connection_id === id),
      }),
    },
    accounts:
      accounts &&
      createAccountPages({
        accounts,
        store,
        removeConnection: importPages.remove,
        tapCommand: createCommandFormat(invocation)('account add tap', '--command tap-github'),
        now,
      }),
  };
}
