import type { MoveSource, MoveTarget } from '../../../src/store/move/move-stores.ts';
import { openSourceDatabase } from '../../../src/store/postgres/move/source-database.ts';
import { openTargetDatabase } from '../../../src/store/postgres/move/target-database.ts';
import { openSourceFolder } from '../../../src/store/sqlite/move/source-folder.ts';
import { openTargetFolder } from '../../../src/store/sqlite/move/target-folder.ts';

/** Opens the two sides of a move: a folder and a database. */
export async function openMove(
  from: string,
  to: string,
  secret: Uint8Array,
): Promise<{ source: MoveSource; target: MoveTarget }> {
  if (to.startsWith('postgres:')) {
    const source = openSourceFolder(from);
    try {
      return { source, target: await openTargetDatabase(to, source.secret, () => {}) };
    } catch (error) {
      await source.close();
      throw error;
    }
  }
  const source = await openSourceDatabase(from, secret);
  try {
    return { source, target: openTargetFolder(to, source.secret) };
  } catch (error) {
    await source.close();
    throw error;
  }
}
