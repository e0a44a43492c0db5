import { toAppError } from '../calls/run-tool.ts';
import { createImportDesk, type ImportDesk } from '../import/desk/import-desk.ts';
import type { Log } from '../log.ts';
import { loadImporters } from '../sources/load-importers.ts';
import type { Store } from '../store/open-store.ts';
import { createId } from '../store/token.ts';

/** The desk of a server: all formats, and a line in the log for what nobody expected. */
export function createServedDesk(store: Store, log: Log, now: () => Date): ImportDesk {
  return createImportDesk({
    store,
    loadImporters,
    now,
    onFailure: (error) => void toAppError(error, createId('req'), log),
  });
}
