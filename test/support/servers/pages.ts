import { Hono } from 'hono';
import { addAppRoutes } from '../../../dashboard/app-routes.tsx';
import { addDataRoutes } from '../../../dashboard/data-routes.tsx';
import { createAudit } from '../../../src/audit/audit.ts';
import { createEventLog } from '../../../src/audit/events.ts';
import { AppError, errorBody } from '../../../src/errors.ts';
import { createAppChanges } from '../../../src/grants/change-grant.ts';
import { createPerformer } from '../../../src/reads/granted-read.ts';
import { createReadRunner } from '../../../src/reads/run-read.ts';
import { viewActivity, writeActivityCsv } from '../../../src/views/activity/activity.ts';
import { viewApp } from '../../../src/views/app.ts';
import { viewApps } from '../../../src/views/apps.ts';
import { createDataViews } from '../../../src/views/data-views.ts';
import { writeMarkdown } from '../../../src/views/record-markdown.ts';
import { queryAudit } from '../stores/tables.ts';
import { NOW, ORIGIN, type World } from '../world.ts';

/** What the pages of a world are made from, wired as the server wires it. */
export function createPages(world: World, now: () => Date = () => NOW) {
  const perform = createPerformer({
    store: world.store.read,
    cursorKey: world.store.cursorKey,
    dictionary: { findSimilar: async () => [], findContaining: async () => [] },
    origin: ORIGIN,
  });
  const run = createReadRunner({
    perform,
    enter: async () => () => {},
    audit: createAudit(world.store.audit),
    log: () => {},
    now,
  });
  const writeEvent = createEventLog(world.store.audit);
  return {
    run,
    writeEvent,
    views: createDataViews({ store: world.store.read, run, now }),
    changes: createAppChanges({ write: world.store.write, writeEvent, now }),
  };
}

/** The pages themselves, for an owner who is signed in. */
export function createPageApp(world: World) {
  const { views, changes } = createPages(world);
  const { store } = world;
  const app = new Hono();
  const frame = () => ({ csrf: 'the-csrf-value', alarms: [] });
  addAppRoutes(app, {
    views: {
      apps: () => viewApps(store, NOW),
      app: (id) => viewApp(store, id, NOW),
      activity: (query) => viewActivity(store, query, NOW),
      activityCsv: (query) => writeActivityCsv(store, query),
    },
    changes,
    frame,
    readForm: async (c) => new URLSearchParams(await c.req.text()),
  });
  const imports = async () => ({ under_way: [], removals: [], history: [], demo_connections: 0 });
  addDataRoutes(app, { views, writeMarkdown, imports, accounts: async () => [], frame });
  app.onError((error, c) => {
    if (error instanceof AppError) return c.json(errorBody(error), error.status as 400);
    throw error;
  });
  return {
    request: async (path: string) => app.request(path),
    get: async (path: string, headers: Record<string, string> = {}) => {
      const response = await app.request(path, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    post: async (path: string, form: Record<string, string>) => {
      const response = await app.request(path, { method: 'POST', body: new URLSearchParams(form) });
      return { status: response.status, location: response.headers.get('location') };
    },
  };
}

/** The audit as it is, oldest first. */
export function readAudit({ store }: World): Promise<Record<string, unknown>[]> {
  return queryAudit(store, 'select * from audit order by id');
}

/** Everything the browser would take for a tag, a handler or an inline style. */
export function findTags(html: string): { tags: Set<string>; attributes: Set<string> } {
  const tags = new Set<string>();
  const attributes = new Set<string>();
  for (const [, name, rest] of html.matchAll(/<([a-zA-Z][\w-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g)) {
    tags.add((name as string).toLowerCase());
    for (const [, attribute] of (rest as string).matchAll(/\s([^\s=>"'/]+)(?:="[^"]*")?/g))
      attributes.add((attribute as string).toLowerCase());
  }
  return { tags, attributes };
}
