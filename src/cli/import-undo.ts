import { undoImport } from '../import/undo-import.ts';
import { formatAmount, formatCount, print } from './print/print.ts';
import { type Call, getPositional, parseWholeNumber } from './run/call.ts';
import { withExistingStore } from './run/with-store.ts';

export async function importUndo(call: Call): Promise<void> {
  const id = parseWholeNumber(getPositional(call, 0, 'ID'), 'ID');
  await withExistingStore(call, async (store) => {
    const undone = await undoImport(store, id, new Date());
    const { removed, restored, kept, connection_removed } = undone;
    const text = [
      `Removed ${formatAmount(removed, 'record')} and restored ${formatCount(restored)}.`,
      ...(kept > 0 ? [`Kept ${formatAmount(kept, 'record')} that changed after the import.`] : []),
      ...(connection_removed ? ['Removed the connection that this import created.'] : []),
    ].join('\n');
    print(call, { import_id: id, ...undone }, text);
  });
}
