import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import { readBound, readFingerprints } from '../large/bound-record.ts';
import type { LargeReads } from '../large/large-reads.ts';
import type { ChangesRequest, VisibleChange } from '../record-reads.ts';
import type { Scope } from '../scope.ts';

/** A record at the two moments of a request. A version is its JSON, or a reference to a large record. */
export interface Versions {
  readonly key: string;
  /** The change number of the current record; null if it is not visible now. */
  readonly seq: number | null;
  /** The version that was visible at the horizon and has stayed visible until now. */
  readonly after: string | null;
  /** The version that was visible at the beginning; empty if the record was deleted later. */
  readonly before: string | null;
  /** Whether the record was outside the window in between. */
  readonly left: 0 | 1 | boolean;
}

/** What an engine reads to find changes. */
export interface VersionReads {
  readonly large: LargeReads;
  /** Returns the first keys of visible records after a key, in order. */
  keys(scope: Scope, after: string | undefined, limit: number): Promise<string[]>;
  /** Returns the first keys, in order, of records that may have changed for this reader since a change number. */
  changedKeys(scope: Scope, since: number, after: string | undefined, limit: number): Promise<string[]>;
  /** Returns the versions of some records, in the order of the keys. */
  versions(scope: Scope, keys: readonly string[], request: ChangesRequest): Promise<Versions[]>;
}

/** The number of keys that one statement reads. After a change number, most of them may be unchanged. */
const MAX_CANDIDATES = 20_000;
const MAX_FIRST_CANDIDATES = 250;
/** The number of records that are compared together, with two versions each. */
const MAX_COMPARED_RECORDS = 50;

/**
 * Returns the changes that are visible to a reader. A record counts only if its granted part differs between the two
 * moments, or if it was not visible in between. The order is by key: the order of changes would reveal hidden ones.
 */
export async function collectChanges(
  reads: VersionReads,
  scope: Scope,
  request: ChangesRequest,
): Promise<VisibleChange[]> {
  const changes: VisibleChange[] = [];
  for await (const keys of findCandidates(reads, scope, request)) {
    for (const versions of await reads.versions(scope, keys, request)) {
      const change = await compareVersions(reads.large, scope, versions, request);
      if (change !== undefined) changes.push(change);
      if (changes.length >= request.limit) return changes;
      await yieldToEventLoop();
    }
  }
  return changes;
}

/** Yields keys of records that may have changed, a few at a time. From the beginning, those are the visible records. */
async function* findCandidates(
  reads: VersionReads,
  scope: Scope,
  { since, afterKey }: ChangesRequest,
): AsyncGenerator<string[]> {
  const limit = since === 0 ? MAX_FIRST_CANDIDATES : MAX_CANDIDATES;
  let after = afterKey;
  for (;;) {
    const keys =
      since === 0
        ? await reads.keys(scope, after, limit)
        : await reads.changedKeys(scope, since, after, limit);
    for (let at = 0; at < keys.length; at += MAX_COMPARED_RECORDS)
      yield keys.slice(at, at + MAX_COMPARED_RECORDS);
    if (keys.length < limit) return;
    after = keys.at(-1);
  }
}

async function compareVersions(
  large: LargeReads,
  scope: Scope,
  { key, seq, after, before, left }: Versions,
  { since }: ChangesRequest,
): Promise<VisibleChange | undefined> {
  if (seq !== null && seq <= since) return undefined;
  if (after === null) return before === null ? undefined : { key, removed: true };
  const isStillVisible = before !== null && before !== '' && !left;
  if (isStillVisible && (await isSame(large, scope, before, after))) return undefined;
  const bound = await readBound(large, scope, after);
  return bound && { key, ...bound };
}

/** Returns whether the granted parts of two versions are the same. */
async function isSame(large: LargeReads, scope: Scope, before: string, after: string): Promise<boolean> {
  const print = await readFingerprints(large, scope, before);
  return print !== undefined && print === (await readFingerprints(large, scope, after));
}
