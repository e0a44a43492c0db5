import { createImportDesk, type ImportDesk } from '../../import/desk/import-desk.ts';
import { createRemovals, type Removals } from '../../import/desk/removals.ts';
import type { Log } from '../../log.ts';
import { toAppError } from '../../reads/run-read.ts';
import { createId } from '../../secrets/token.ts';
import { loadImporters } from '../../sources/load-importers.ts';
import type { Store } from '../../store/store.ts';

/** The desk of a server, where things come in and go out. */
export type ServedDesk = ImportDesk & { readonly removals: Removals };

/** With all formats, and a line in the log for what nobody expected. */
export function createServedDesk(store: Store, log: Log, now: () => Date): ServedDesk {
  const onFailure = (error: unknown) => void toAppError(error, createId('req'), log);
  const desk = createImportDesk({ store, loadImporters, now, onFailure });
  return { ...desk, removals: createRemovals({ inTurn: desk.inTurn, onFailure }) };
}
