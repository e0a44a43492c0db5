import { createImportService, type ImportService } from '../../import/service/import-service.ts';
import { createSharedImportService } from '../../import/service/shared-import-service.ts';
import type { UploadRunner } from '../../import/service/upload-job.ts';
import type { Log } from '../../log.ts';
import { toAppError } from '../../reads/run-read.ts';
import { createId } from '../../secrets/token.ts';
import type { Store } from '../../store/store.ts';

/** Creates the import service of a server. Unexpected errors go to the log. */
export function createServedImports(store: Store, runner: UploadRunner, log: Log): ImportService {
  const onFailure = (error: unknown) => void toAppError(error, createId('req'), log);
  const { shared } = store;
  return shared === undefined
    ? createImportService({ store, runner, onFailure })
    : createSharedImportService({ store, shared, runner, onFailure, now: () => new Date() });
}
