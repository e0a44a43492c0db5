import type { Context, Hono } from 'hono';
import type { AppChanges } from '../src/grants/change-grant.ts';
import type { ActivityQuery, ActivityView } from '../src/views/activity/activity.ts';
import type { AppView } from '../src/views/app.ts';
import type { AppsView } from '../src/views/apps.ts';
import { addPage, answerCsv, getPathParameter } from './add-page.ts';
import { ActivityPage } from './pages/activity.tsx';
import { AppPage } from './pages/app.tsx';
import { AppsPage } from './pages/apps.tsx';
import type { Frame } from './parts/layout.tsx';
import { appHref, withQuery } from './parts/links.ts';

export interface AppRouteDeps {
  readonly views: {
    apps(): Promise<AppsView>;
    app(grantId: string): Promise<AppView>;
    activity(query: ActivityQuery): Promise<ActivityView>;
    activityCsv(query: ActivityQuery): AsyncIterable<string>;
  };
  readonly changes: AppChanges;
  readonly frame: (c: Context) => Frame | Promise<Frame>;
  /** The fields of a form that came from one of our own pages. */
  readonly readForm: (c: Context) => Promise<URLSearchParams>;
}

/** /dashboard/apps and /dashboard/activity. The caller must check that the owner is signed in. */
export function addAppRoutes(app: Hono, { views, changes, frame, readForm }: AppRouteDeps): void {
  addPage(app, '/dashboard/apps', views.apps, async (view, c) =>
    c.html(<AppsPage view={view} frame={await frame(c)} done={c.req.query('done')} />),
  );
  addPage(
    app,
    '/dashboard/apps/:id',
    (c) => views.app(getPathParameter(c, 'id')),
    async (view, c) => c.html(<AppPage view={view} frame={await frame(c)} done={c.req.query('done')} />),
  );
  addPage(
    app,
    '/dashboard/activity',
    (c) => views.activity(c.req.query()),
    async (view, c) => c.html(<ActivityPage view={view} frame={await frame(c)} />),
  );
  app.get('/dashboard/activity.csv', (c) => {
    const pieces = views.activityCsv(c.req.query());
    return answerCsv(c, 'activity', pieces);
  });

  app.post('/dashboard/apps/:id/revoke', async (c) => {
    const id = c.req.param('id');
    const form = await readForm(c);
    await changes.revoke(id);
    const isFromList = form.get('back') === 'apps';
    return c.redirect(isFromList ? withQuery('/dashboard/apps', { done: id }) : appHref(id), 303);
  });
  app.post('/dashboard/apps/:id/expiry', async (c) => {
    const id = c.req.param('id');
    await changes.setExpiry(id, (await readForm(c)).get('expires') ?? '');
    return c.redirect(withQuery(appHref(id), { done: 'expiry' }), 303);
  });
  app.post('/dashboard/apps/:id/end-connection', async (c) => {
    const id = c.req.param('id');
    await changes.endConnection(id, (await readForm(c)).get('connection_id') ?? '');
    return c.redirect(withQuery(appHref(id), { done: 'connection' }), 303);
  });
}
