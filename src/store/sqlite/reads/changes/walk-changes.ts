import type { Kysely } from 'kysely';
import { giveTurn } from '../../../../limits/give-turn.ts';
import type { Tables } from '../../tables.ts';
import { readHorizon } from '../read-horizon.ts';

/** Change numbers looked through before others get their turn. */
const STEP_CHANGES = 5_000;

/** Change numbers after one, step by step, with a turn for others in between. The last step has no end. */
export async function* walkChanges(
  db: Kysely<Tables>,
  since: number,
): AsyncGenerator<{ from: number; to: number | undefined }> {
  const last = await readHorizon(db);
  let from = since;
  for (; from + STEP_CHANGES < last; from += STEP_CHANGES) {
    yield { from, to: from + STEP_CHANGES };
    await giveTurn();
  }
  yield { from, to: undefined };
}
