import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { type Watched, watchFolder } from '../import/watch-folder.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { loadImporters } from '../sources/load-importers.ts';
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
    console.error(`Watching ${folder}. Exports that appear there are imported. Ctrl-C ends it.`);
    await watchFolder(store, folder, {
      loadImporters,
      options: async () => ({ timeZone: (await loadCatalog(store.read)).timeZone }),
      now: () => new Date(),
      signal: controller.signal,
      onImported: async (watched) => print(call, watched, await describeWatched(watched)),
    });
  });
}

export function checkFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('not_found', 'There is no such folder to watch.', { folder: path });
  return path;
}

async function describeWatched({ name, results, refused }: Watched): Promise<string> {
  const told = await Promise.all(results.map(describeImport));
  return [...told, ...(refused === undefined ? [] : [`${name} ${refused}`])].join('\n');
}
