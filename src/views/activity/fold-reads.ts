import type { EventLine } from '../../audit/audit-rows.ts';
import type { ToldRead } from './tell-read.ts';

export type ToldRow = ToldRead | EventLine;

/** So many rows are read to fill a page of sentences: what was done again and again is one of them. */
export const MOST_FOLDED = 150;

/**
 * The rows of the first sentences, those marked that only say again what the row before them says. Folded first and
 * cut second: else a page would tell 8 times of what was 30.
 */
export function takeSentences<T extends ToldRow>(rows: readonly T[], most: number): T[] {
  const taken: T[] = [];
  let sentences = 0;
  for (const row of rows) {
    const last = taken.at(-1);
    const again = last !== undefined && isSame(last, row);
    if (!again) sentences += 1;
    if (sentences > most) break;
    taken.push(again ? { ...row, again } : row);
  }
  return taken;
}

function isSame(one: ToldRow, other: ToldRow): boolean {
  return (
    one.type === 'read' &&
    other.type === 'read' &&
    one.grant_id === other.grant_id &&
    one.client === other.client &&
    one.did === other.did &&
    one.outcome === other.outcome
  );
}
