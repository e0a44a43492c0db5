import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { type Watched, watchFolder } from '../import/watch-folder.ts';
import type { Log } from '../log.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { loadImporters } from '../sources/load-importers.ts';
import type { Store } from '../store/store.ts';
import { describeImport } from './print/import-text.ts';
import { print } from './print/print.ts';
import { type Call, getPositional } from './run/call.ts';
import { withStore } from './run/with-store.ts';

export async function watch(call: Call): Promise<void> {
  const folder = checkFolder(getPositional(call, 0, 'DIR'));
  await withStore(call, async (store) => {
    const controller = new AbortController();
    const stop = () => controller.abort();
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    console.error(`Watching ${folder} for exports. Press Ctrl-C to stop.`);
    await watchUntil(controller.signal, store, folder, async (watched) =>
      print(call, watched, await describeWatched(watched)),
    );
  });
}

/** Watches a folder while a server runs. Logs names and counts, but nothing of the content. */
export function startWatching(store: Store, folder: string, log: Log): () => Promise<void> {
  const controller = new AbortController();
  const ended = watchUntil(controller.signal, store, folder, ({ results, refused }) => {
    if (refused !== undefined) log('import_refused', { reason: refused });
    for (const { import_id, state, report } of results)
      log('imported', { import_id, state, format: report.format, problems: report.problems_total });
  });
  return () => {
    controller.abort();
    return ended;
  };
}

function watchUntil(
  signal: AbortSignal,
  store: Store,
  folder: string,
  onImported: (watched: Watched) => void | Promise<void>,
): Promise<void> {
  return watchFolder(store, folder, {
    loadImporters,
    options: async () => ({ timeZone: (await loadCatalog(store.read)).timeZone }),
    now: () => new Date(),
    signal,
    onImported,
  });
}

export function checkFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('not_found', 'Folder not found.', { folder: path });
  return path;
}

async function describeWatched({ name, results, refused }: Watched): Promise<string> {
  const reports = await Promise.all(results.map(describeImport));
  return [...reports, ...(refused === undefined ? [] : [`${name} ${refused}`])].join('\n');
}
