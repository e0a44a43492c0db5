import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import type { BoundRecord, LongValue } from '../long-value.ts';
import type { PageRow } from '../record-reads.ts';
import { projectRecord } from '../records/visible-part.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../values.ts';
import type { LargeField, LargeReads } from './large-reads.ts';
import { boundValues, readLong } from './long-text.ts';
import { fingerprint, SHORT_CHARACTERS } from './long-value.ts';

/** Returns whether a version is a reference to a large record: `#` and its change number. */
export function isReference(version: string): boolean {
  return version.startsWith('#');
}

/** Returns the granted part of a version. Undefined if the version was removed after its reference was read. */
export async function readBound(
  large: LargeReads,
  scope: Scope,
  version: string,
): Promise<BoundRecord | undefined> {
  if (!isReference(version)) return boundRecord(scope, version);
  const seq = Number(version.slice(1));
  const fields = await large.fields(scope, seq);
  return fields && boundFields(large, seq, fields);
}

/** Returns the granted part of a version that is not large. */
export function boundRecord(scope: Scope, data: string): BoundRecord {
  const record = projectRecord(scope, data);
  // A short record has no long value.
  return data.length <= SHORT_CHARACTERS ? { record } : boundValues(record);
}

function boundFields(large: LargeReads, seq: number, fields: readonly LargeField[]): BoundRecord {
  const record: Record<string, unknown> = {};
  const long = new Map<string, LongValue>();
  for (const row of fields) {
    record[row.field] = JSON.parse(row.value);
    if (row.type !== 'short') long.set(row.field, readLong(large, seq, { ...row, type: row.type }));
  }
  return long.size === 0 ? { record } : { record, long };
}

/** Returns a text that is equal for versions with the same granted part. */
export async function readFingerprints(
  large: LargeReads,
  scope: Scope,
  version: string,
): Promise<string | undefined> {
  if (isReference(version)) {
    const fields = await large.fields(scope, Number(version.slice(1)));
    return fields && JSON.stringify(fields.map(({ field, hash, value }) => [field, hash ?? value]));
  }
  return JSON.stringify(
    Object.entries(projectRecord(scope, version)).map(([name, value]) => [name, fingerprint(value)]),
  );
}

/** A row of a page as an engine reads it. */
export interface StoredPageRow {
  readonly key: string;
  readonly value: Value;
  /** The JSON of the record, or a reference to a large record. */
  readonly version: string;
}

/** Reading a longer record takes long enough to yield to the event loop afterwards. */
const LONG_VERSION_CHARS = 4_000;

/** Returns the granted part of each row, without rows that were removed meanwhile. `readLarge` reads a large record. */
export async function boundPage(
  scope: Scope,
  stored: readonly StoredPageRow[],
  readLarge: (reference: string) => Promise<BoundRecord | undefined>,
): Promise<PageRow[]> {
  const rows: PageRow[] = [];
  for (const { key, value, version } of stored) {
    // An await costs more than reading a short record.
    const bound = isReference(version) ? await readLarge(version) : boundRecord(scope, version);
    if (bound !== undefined) rows.push({ key, value, ...bound });
    if (version.length > LONG_VERSION_CHARS) await yieldToEventLoop();
  }
  return rows;
}
