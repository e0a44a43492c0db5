import type { Context } from 'hono';
import type { ImportRouteDeps, ImportsOverview } from '../../../dashboard/import-routes.tsx';
import { AppError } from '../../errors.ts';
import { getImport, listHistory, listImports, viewImport } from '../../import/import-log.ts';
import type { Importer, LoadImporters } from '../../import/importer.ts';
import { removeConnections } from '../../import/remove-connection.ts';
import type { ImportService } from '../../import/service/import-service.ts';
import type { RemovalOrder, Removals } from '../../import/service/removals.ts';
import {
  type ExportDecision,
  type JobChoices,
  type JobView,
  NEW_CONNECTION,
} from '../../import/service/upload-job.ts';
import { undoImport } from '../../import/undo-import.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { noConnection, renameConnection } from '../../schema-index/edit-catalog.ts';
import type { Store } from '../../store/store.ts';
import { checkZone } from '../../time/zones.ts';
import type { OwnerSession } from './owner-session.ts';
import { receiveUpload } from './receive-upload.ts';

export interface ImportPagesDeps {
  readonly store: Store;
  readonly imports: ImportService;
  readonly owner: OwnerSession;
  readonly loadImporters: LoadImporters;
  readonly now: () => Date;
}

type Wired = Omit<ImportRouteDeps, 'frame' | 'readForm' | 'connection' | 'missingAccess'>;

/** Connects the import pages to the import service. */
export function createImportPages({ store, imports, owner, loadImporters, now }: ImportPagesDeps): Wired {
  const isRunning = async () => (await imports.list()).some(({ state }) => state === 'running');
  const zone = async () => (await loadCatalog(store.read)).timeZone;
  return {
    job: (id) => imports.get(id),
    // A process cannot delete the files of another one.
    canKeepFiles: store.shared === undefined,
    imported: async (id) => viewImport(store.read, toNumber(id), await isRunning(), await zone()),
    formats: async () =>
      (await loadImporters())
        .map(({ format, title, guide }) => ({ format, title, ...guide }))
        .sort((a, b) => a.title.localeCompare(b.title, 'en')),
    receive: (c: Context) => receiveUpload(c, owner, imports),
    lookAgain: async (id, form) =>
      imports.recheck(id, readChoices(form, await imports.get(id), await loadImporters())),
    run: async (id, form) => imports.run(id, readDecisions(form, (await imports.get(id)).exports.length)),
    stop: (id) => imports.stop(id),
    discard: (id) => imports.discard(id),
    rename: (id, name) => renameConnection(store.write, id, name.trim()),
    ...createRemovals(store, imports.removals, now),
  };
}

/** Creates the actions that remove data. Each runs in the background. */
function createRemovals(
  store: Store,
  removals: Removals,
  now: () => Date,
): Pick<Wired, 'undo' | 'remove' | 'removeDemo' | 'removal'> {
  const connectionWork = (listIds: () => Promise<string[]>): RemovalOrder['work'] => {
    return async (onProgress) => {
      const { records } = await removeConnections(store, await listIds(), now(), onProgress);
      return { records, restored: 0, kept: 0, connection_removed: true };
    };
  };
  return {
    removal: (id) => removals.get(id),
    async undo(id) {
      const { report, state } = await getImport(store.read, toNumber(id));
      if (state === 'undone') throw new AppError('conflict', 'This import has already been undone.');
      const counts = Object.values(report.streams);
      return removals.begin({
        kind: 'undo',
        title: `${report.title}, into ${report.connection_name}`,
        of: id,
        total: counts.reduce((sum, one) => sum + one.new + one.changed, 0),
        work: async (onProgress) => {
          const { removed, ...rest } = await undoImport(store, toNumber(id), now(), onProgress);
          return { records: removed, ...rest };
        },
      });
    },
    async remove(id) {
      const { connections, streams } = await loadCatalog(store.read);
      const connection = connections.find(({ connection_id }) => connection_id === id);
      if (connection === undefined) throw noConnection();
      const spans = await store.read.stored.spans(Number.MAX_SAFE_INTEGER);
      const own = streams.filter((stream) => stream.connection.connection_id === id);
      return removals.begin({
        kind: 'connection',
        title: connection.display_name,
        of: id,
        total: own.reduce((sum, { streamId }) => sum + (spans.get(streamId)?.records ?? 0), 0),
        work: connectionWork(async () => [id]),
      });
    },
    removeDemo: async () =>
      removals.begin({
        kind: 'demo',
        title: 'The demo data',
        of: 'demo',
        total: null,
        work: connectionWork(() => listDemo(store)),
      }),
  };
}

/** Returns what the data page shows about imports. */
export async function viewImports(store: Store, imports: ImportService): Promise<ImportsOverview> {
  const jobs = await imports.list();
  const demo = await listDemo(store);
  return {
    under_way: jobs.map(({ id, state, files, files_total }) => ({ id, state, files, files_total })),
    history: await listHistory(
      store.read,
      jobs.some(({ state }) => state === 'running'),
    ),
    demo_connections: demo.length,
    removals: await imports.removals.list(),
  };
}

async function listDemo(store: Store): Promise<string[]> {
  // Loaded late: the demo is as large as the rest of the server, and only the data page needs its names.
  const { findDemoConnections } = await import('../../demo/demo-connections.ts');
  const { connections } = await loadCatalog(store.read);
  const imports = await listImports(store.read);
  return findDemoConnections(
    connections.map(({ connection_id }) => connection_id),
    imports.map(({ report }) => report.connection_id),
  );
}

function readDecisions(form: URLSearchParams, count: number): ExportDecision[] {
  const keepsFiles = form.get('keep_files') === 'yes';
  const decisions = Array.from({ length: count }, (_, index) => {
    const name = (form.get(`name_${index}`) ?? '').trim();
    const take = form.get(`take_${index}`) === 'yes';
    return { take, keepsFiles, ...(name === '' ? {} : { name }) };
  });
  if (!decisions.some(({ take }) => take))
    throw new AppError('invalid_argument', 'Nothing was selected.', {
      hint: 'Go back and select what to add.',
    });
  return decisions;
}

/** Reads all choices, or a single one from its button: then the others stay the same. */
function readChoices(form: URLSearchParams, job: JobView, importers: readonly Importer[]): JobChoices {
  const { choices } = job;
  const into = job.exports.map(({ candidates }, index) => {
    const chosen = form.get(`into_${index}`);
    if (chosen === null) return choices.into[index] ?? null;
    if (chosen === NEW_CONNECTION) return chosen;
    return candidates.find(({ connection_id }) => connection_id === chosen)?.connection_id ?? null;
  });
  if (!form.has('time_zone')) return { ...choices, into };
  const order = form.get('order');
  const asked = form.get('format') ?? '';
  const format = importers.find((importer) => importer.format === asked)?.format ?? null;
  if (format === null && asked !== '') throw new AppError('invalid_argument', 'Unknown format.');
  return {
    time_zone: checkZone(form.get('time_zone') ?? ''),
    day_first: order === 'day' ? true : order === 'month' ? false : null,
    format,
    // Another format finds other exports.
    into: format === choices.format ? into : [],
  };
}

function toNumber(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}
