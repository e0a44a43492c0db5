import type { Context } from 'hono';
import type { ImportRouteDeps, ImportsOverview } from '../../dashboard/import-routes.tsx';
import { AppError } from '../errors.ts';
import type { ImportDesk } from '../import/desk/import-desk.ts';
import { listHistory, viewImport } from '../import/desk/import-history.ts';
import type { ExportWish } from '../import/desk/job-work.ts';
import { listImports } from '../import/import-log.ts';
import type { LoadImporters } from '../import/importer.ts';
import { removeConnections } from '../import/remove-connection.ts';
import { undoImport } from '../import/undo-import.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { renameConnection } from '../schema-index/edit-catalog.ts';
import type { Store } from '../store/open-store.ts';
import type { OwnerDoor } from './owner-door.ts';
import { receiveUpload } from './receive-upload.ts';

export interface ImportPagesDeps {
  readonly store: Store;
  readonly desk: ImportDesk;
  readonly door: OwnerDoor;
  readonly loadImporters: LoadImporters;
  readonly now: () => Date;
}

type Wired = Omit<ImportRouteDeps, 'frame' | 'readForm' | 'connection'>;

/** What the pages about imports show and do. */
export function createImportPages({ store, desk, door, loadImporters, now }: ImportPagesDeps): Wired {
  const isRunning = () => desk.list().some(({ state }) => state === 'running');
  const zone = async () => (await loadCatalog(store.read)).timeZone;
  return {
    job: (id) => desk.get(id),
    imported: async (id) => viewImport(store.read, toNumber(id), isRunning(), await zone()),
    formats: async () =>
      (await loadImporters())
        .map(({ format, title, guide }) => ({ format, title, ...guide }))
        .sort((a, b) => a.title.localeCompare(b.title, 'en')),
    receive: (c: Context) => receiveUpload(c, door, desk),
    lookAgain(id, form) {
      const order = form.get('order');
      const time_zone = checkZone(form.get('time_zone') ?? '');
      desk.lookAgain(id, { time_zone, day_first: order === 'day' ? true : order === 'month' ? false : null });
    },
    run: (id, form) => desk.run(id, readWishes(form, desk.get(id).exports.length)),
    stop: (id) => desk.stop(id),
    discard: (id) => desk.discard(id),
    undo: (id) => desk.inTurn(() => undoImport(store, toNumber(id), now())),
    rename: (id, name) => renameConnection(store.write, id, name.trim()),
    remove: (id) => desk.inTurn(() => removeConnections(store, [id], now())),
    removeDemo: () => desk.inTurn(async () => removeConnections(store, await listDemo(store), now())),
  };
}

/** What the data page says about imports. */
export async function viewImports(store: Store, desk: ImportDesk): Promise<ImportsOverview> {
  const jobs = desk.list();
  const demo = await listDemo(store);
  return {
    under_way: jobs.map(({ id, state, files, files_total }) => ({ id, state, files, files_total })),
    history: await listHistory(
      store.read,
      jobs.some(({ state }) => state === 'running'),
    ),
    demo_connections: demo.length,
  };
}

async function listDemo(store: Store): Promise<string[]> {
  // The demo is as much to load as the rest of the server, and only the data page asks for its names.
  const { findDemoConnections } = await import('../demo/remove-demo.ts');
  const { connections } = await loadCatalog(store.read);
  const imports = await listImports(store.read);
  return findDemoConnections(
    connections.map(({ connection_id }) => connection_id),
    imports.map(({ report }) => report.connection_id),
  );
}

function readWishes(form: URLSearchParams, count: number): ExportWish[] {
  const wishes = Array.from({ length: count }, (_, index) => {
    const name = (form.get(`name_${index}`) ?? '').trim();
    const take = form.get(`take_${index}`) === 'yes';
    return name === '' ? { take } : { take, name };
  });
  if (!wishes.some(({ take }) => take))
    throw new AppError('invalid_argument', 'Nothing was chosen.', { hint: 'Go back and tick what to add.' });
  return wishes;
}

function toNumber(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}

function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone.trim() }).resolvedOptions().timeZone;
  } catch {
    throw new AppError('invalid_argument', 'There is no time zone of that name.', {
      hint: 'Write it like Europe/Berlin.',
    });
  }
}
