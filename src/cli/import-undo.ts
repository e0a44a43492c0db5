import { undoImport } from '../import/undo-import.ts';
import { showCount } from './print/format.ts';
import { print } from './print/print.ts';
import { type Call, getPositional, parseWholeNumber } from './run/call.ts';
import { withExistingStore } from './run/with-store.ts';

export async function importUndo(call: Call): Promise<void> {
  const id = parseWholeNumber(getPositional(call, 0, 'ID'), 0, 'ID');
  await withExistingStore(call, async (store) => {
    const undone = await undoImport(store, id, new Date());
    const { removed, restored, kept, connection_removed } = undone;
    const text = [
      `${showCount(removed)} records taken out, ${showCount(restored)} put back as they were.`,
      ...(kept > 0 ? [`${showCount(kept)} were changed since and stay.`] : []),
      ...(connection_removed ? ['The connection, which this import had made, is removed.'] : []),
    ].join('\n');
    print(call, { import_id: id, ...undone }, text);
  });
}
