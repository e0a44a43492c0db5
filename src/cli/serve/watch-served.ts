import { watchFolder } from '../../import/watch-folder.ts';
import type { Log } from '../../log.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { loadImporters } from '../../sources/load-importers.ts';
import type { SqliteStore } from '../../store/sqlite/open-store.ts';

/** Watches a folder while a server runs. Names and counts go to the log, nothing of what the files hold. */
export function watchServed(store: SqliteStore, folder: string, log: Log): () => Promise<void> {
  const controller = new AbortController();
  const ended = watchFolder(store, folder, {
    loadImporters,
    options: async () => ({ timeZone: (await loadCatalog(store.read)).timeZone }),
    now: () => new Date(),
    signal: controller.signal,
    onImported({ results, refused }) {
      if (refused !== undefined) log('import_refused', { reason: refused });
      for (const { import_id, state, report } of results)
        log('imported', { import_id, state, format: report.format, problems: report.problems_total });
    },
  });
  return () => {
    controller.abort();
    return ended;
  };
}
