import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import { boundRecord, isReference, readBound } from '../large/bound-record.ts';
import type { LargeReads } from '../large/large-reads.ts';
import type { PageRow } from '../record-reads.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../values.ts';

/** A row of a page as an engine reads it. */
export interface StoredPageRow {
  readonly key: string;
  readonly value: Value;
  /** The JSON of the record, or a reference to a large record. */
  readonly version: string;
}

/** Reading a longer record takes long enough to yield to the event loop afterwards. */
const LONG_VERSION_CHARS = 4_000;

/** Returns the granted part of each row, without rows that were removed meanwhile. */
export async function bindPage(
  large: LargeReads,
  scope: Scope,
  stored: readonly StoredPageRow[],
): Promise<PageRow[]> {
  const rows: PageRow[] = [];
  for (const { key, value, version } of stored) {
    // An await costs more than reading a short record.
    const bound = isReference(version) ? await readBound(large, scope, version) : boundRecord(scope, version);
    if (bound !== undefined) rows.push({ key, value, ...bound });
    if (version.length > LONG_VERSION_CHARS) await yieldToEventLoop();
  }
  return rows;
}
