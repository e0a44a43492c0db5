import type { Context, Hono } from 'hono';
import type { AccountView } from '../src/accounts/account-view.ts';
import type { HistoryLine, ImportView } from '../src/import/import-log.ts';
import type { ExportGuide } from '../src/import/importer.ts';
import type { RemovalView } from '../src/import/service/removals.ts';
import type { JobView } from '../src/import/service/upload-job.ts';
import type { ConnectionSummary } from '../src/views/data.ts';
import type { MissingAccess } from '../src/views/name-apps.ts';
import { addPage, getPathParameter } from './add-page.ts';
import { ConnectionPage } from './pages/connection.tsx';
import { FormatsPage } from './pages/formats.tsx';
import { ImportPage } from './pages/import.tsx';
import { NewImportPage } from './pages/new-import.tsx';
import { RemovalPage } from './pages/removal.tsx';
import type { Frame } from './parts/layout.tsx';
import { connectionHref, newImportHref, removalHref, withQuery } from './parts/links.ts';

/** Imports on the data page. */
export interface ImportsOverview {
  readonly under_way: readonly Pick<JobView, 'id' | 'state' | 'files' | 'files_total'>[];
  readonly removals: readonly RemovalView[];
  readonly history: readonly HistoryLine[];
  /** The number of demo connections. */
  readonly demo_connections: number;
}

/** A connection as its own page shows it. */
export interface ConnectionView extends ConnectionSummary {
  /** Apps that may read it now. */
  readonly apps: readonly { readonly grant_id: string; readonly client: string }[];
  /** Apps that cannot yet read all of it. */
  readonly wider: readonly MissingAccess[];
  readonly time_zone: string;
  /** The accounts that its records come from. */
  readonly accounts: readonly AccountView[];
}

export type Format = ExportGuide & { readonly format: string; readonly title: string };

export interface ImportRouteDeps {
  readonly job: (id: string) => Promise<JobView>;
  /** Whether imports can keep attached files. */
  readonly canKeepFiles: boolean;
  readonly imported: (id: string) => Promise<ImportView>;
  readonly connection: (id: string) => Promise<ConnectionView>;
  readonly formats: () => Promise<readonly Format[]>;
  /** Lists apps that cannot yet read all of these connections. */
  readonly missingAccess: (connectionIds: readonly string[]) => Promise<readonly MissingAccess[]>;
  /** Receives uploaded files. Returns the id of the upload. */
  readonly receive: (c: Context) => Promise<string>;
  readonly lookAgain: (id: string, form: URLSearchParams) => Promise<void>;
  readonly run: (id: string, form: URLSearchParams) => Promise<void>;
  readonly stop: (id: string) => Promise<void>;
  readonly discard: (id: string) => Promise<void>;
  readonly rename: (id: string, name: string) => Promise<void>;
  readonly removal: (id: string) => Promise<RemovalView>;
  /** These start a removal and return its id. */
  readonly undo: (id: string) => Promise<string>;
  readonly remove: (id: string) => Promise<string>;
  readonly removeDemo: () => Promise<string>;
  readonly frame: (c: Context) => Frame | Promise<Frame>;
  readonly readForm: (c: Context) => Promise<URLSearchParams>;
}

const DATA = '/dashboard/data';
const NEW = '/dashboard/imports/new/:id';

/** Adds the routes for uploads, imports and removals. The caller must check that the owner is signed in. */
export function addImportRoutes(app: Hono, deps: ImportRouteDeps): void {
  const { frame, readForm } = deps;
  addPage(
    app,
    '/dashboard/data/formats',
    async () => ({ formats: await deps.formats() }),
    async ({ formats }, c) => c.html(<FormatsPage formats={formats} frame={await frame(c)} />),
  );
  app.post('/dashboard/imports', async (c) => c.redirect(newImportHref(await deps.receive(c)), 303));
  addPage(
    app,
    NEW,
    async (c) => deps.job(getPathParameter(c, 'id')),
    async (view, c) =>
      c.html(
        <NewImportPage
          view={view}
          frame={await frame(c)}
          formats={await deps.formats()}
          canKeepFiles={deps.canKeepFiles}
          missingAccess={
            await deps.missingAccess(view.exports.flatMap(({ result }) => result?.report.connection_id ?? []))
          }
        />,
      ),
  );
  const steps = { look: deps.lookAgain, run: deps.run, stop: deps.stop };
  for (const [name, step] of Object.entries(steps)) {
    app.post(`${NEW}/${name}`, async (c) => {
      const id = getPathParameter(c, 'id');
      await step(id, await readForm(c));
      return c.redirect(newImportHref(id), 303);
    });
  }
  app.post(`${NEW}/discard`, async (c) => {
    await readForm(c);
    await deps.discard(getPathParameter(c, 'id'));
    return c.redirect(withQuery(DATA, { done: 'discarded' }), 303);
  });
  addPage(
    app,
    '/dashboard/imports/:id',
    (c) => deps.imported(getPathParameter(c, 'id')),
    async (view, c) => {
      const missingAccess = await deps.missingAccess([view.report.connection_id]);
      return c.html(<ImportPage view={view} frame={await frame(c)} missingAccess={missingAccess} />);
    },
  );
  app.post('/dashboard/imports/:id/undo', async (c) => {
    await readForm(c);
    return c.redirect(removalHref(await deps.undo(getPathParameter(c, 'id'))), 303);
  });
  addConnectionRoutes(app, deps);
}

function addConnectionRoutes(
  app: Hono,
  { connection, rename, remove, removeDemo, removal, frame, readForm }: ImportRouteDeps,
) {
  addPage(
    app,
    '/dashboard/removals/:id',
    async (c) => removal(getPathParameter(c, 'id')),
    async (view, c) => c.html(<RemovalPage view={view} frame={await frame(c)} />),
  );
  addPage(
    app,
    '/dashboard/connections/:id',
    (c) => connection(getPathParameter(c, 'id')),
    async (view, c) =>
      c.html(<ConnectionPage view={view} frame={await frame(c)} done={c.req.query('done')} />),
  );
  app.post('/dashboard/connections/:id/rename', async (c) => {
    const id = getPathParameter(c, 'id');
    await rename(id, (await readForm(c)).get('name') ?? '');
    return c.redirect(withQuery(connectionHref(id), { done: 'renamed' }), 303);
  });
  app.post('/dashboard/connections/:id/remove', async (c) => {
    await readForm(c);
    return c.redirect(removalHref(await remove(getPathParameter(c, 'id'))), 303);
  });
  app.post('/dashboard/demo/remove', async (c) => {
    await readForm(c);
    return c.redirect(removalHref(await removeDemo()), 303);
  });
}
