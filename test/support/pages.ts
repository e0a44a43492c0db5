import { createAudit } from '../../src/audit/audit.ts';
import { createEventLog } from '../../src/audit/events.ts';
import { createToolRunner } from '../../src/run-tool.ts';
import { createAppChanges } from '../../src/views/change-app.ts';
import { createDataViews } from '../../src/views/data-views.ts';
import { NOW, ORIGIN, type World } from './world.ts';

/** What the pages of a world are made from, wired as the server wires it. */
export function createPages(world: World, now: () => Date = () => NOW) {
  const run = createToolRunner({
    store: world.store.read,
    cursorKey: world.store.cursorKey,
    findSimilar: async () => [],
    audit: createAudit(world.store.audit),
    log: () => {},
    origin: ORIGIN,
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

/** The audit as it is, oldest first. */
export function readAudit(world: World): Record<string, unknown>[] {
  return world.store.audit.raw.prepare('select * from audit order by id').all() as Record<string, unknown>[];
}
