import type { EventLine } from '../../audit/audit-rows.ts';
import type { ToldRead } from './tell-read.ts';

export type ToldRow = ToldRead | EventLine;

/** So many rows are read to fill a page of sentences: what was done again and again is one of them. */
export const MOST_FOLDED = 150;

/** What an app did again and again is told once, with everything about each time in its fold. */
export function foldReads(rows: readonly ToldRow[]): [ToldRow, ...ToldRow[]][] {
  const folded: [ToldRow, ...ToldRow[]][] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    if (last !== undefined && isSame(last[0], row)) last.push(row);
    else folded.push([row]);
  }
  return folded;
}

/** The rows of the first sentences. Folded first and cut second: else a page would tell 8 times of what was 30. */
export function takeSentences<T extends ToldRow>(rows: readonly T[], most: number): T[] {
  return foldReads(rows).slice(0, most).flat() as T[];
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
