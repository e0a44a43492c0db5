import { createImportService, type ImportService } from '../../import/service/import-service.ts';
import type { Log } from '../../log.ts';
import { toAppError } from '../../reads/run-read.ts';
import { createId } from '../../secrets/token.ts';
import { loadImporters } from '../../sources/load-importers.ts';
import type { Store } from '../../store/store.ts';

/** Creates the import service of a server: all formats, and unexpected errors go to the log. */
export function createServedImports(store: Store, log: Log, now: () => Date): ImportService {
  const onFailure = (error: unknown) => void toAppError(error, createId('req'), log);
  return createImportService({ store, loadImporters, now, onFailure });
}
