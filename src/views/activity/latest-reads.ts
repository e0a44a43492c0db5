import type { Catalog } from '../../schema-index/catalog.ts';
import type { AuditStore, ReadFilter } from '../../store/audit-store.ts';
import { type DescribedRead, describeRead } from './describe-read.ts';
import { type EventLine, toReadLine } from './entries.ts';

export type ActivityRow = DescribedRead | EventLine;

/** The number of entries read to fill a page. It exceeds the number of lines, because repeated reads share a line. */
export const MAX_ENTRIES = 150;

/** Returns the newest reads as at most `maxLines` lines. */
export async function listLatestReads(
  audit: AuditStore,
  filter: ReadFilter,
  catalog: Catalog,
  maxLines: number,
): Promise<DescribedRead[]> {
  const reads = await audit.listReads(filter, { order: 'newest', limit: MAX_ENTRIES });
  return foldRepeats(
    reads.map((read) => describeRead(toReadLine(read), catalog)),
    maxLines,
  );
}

/** Returns the rows that fit on `maxLines` lines. A row that repeats the previous row is marked and shares its line. */
export function foldRepeats<T extends ActivityRow>(rows: readonly T[], maxLines: number): T[] {
  const taken: T[] = [];
  let lines = 0;
  for (const row of rows) {
    const last = taken.at(-1);
    const again = last !== undefined && isRepeat(last, row);
    if (!again) lines += 1;
    if (lines > maxLines) break;
    taken.push(again ? { ...row, again } : row);
  }
  return taken;
}

function isRepeat(one: ActivityRow, other: ActivityRow): boolean {
  return (
    one.type === 'read' &&
    other.type === 'read' &&
    one.grant_id === other.grant_id &&
    one.client === other.client &&
    one.did === other.did &&
    one.outcome === other.outcome
  );
}
