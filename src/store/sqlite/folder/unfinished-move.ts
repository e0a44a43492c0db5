import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { command, hint } from '../../../text/hint.ts';
import { unusable } from '../../failures.ts';

/** The folder of a store that is being moved into a data folder. */
export const UNFINISHED_MOVE = 'move.unfinished';

/** Refuses a folder into which a store is being moved: an empty store would take its place. */
export function refuseUnfinishedMove(directory: string): void {
  if (!existsSync(join(directory, UNFINISHED_MOVE))) return;
  throw unusable(
    'Data is being moved into this folder, and is not complete.',
    hint`Run ${command('move')} again to continue. To give up, delete the folder ${UNFINISHED_MOVE} in it.`,
  );
}
