import type { RecordReads } from '../../record-reads.ts';
import { countRecords, countTogether } from '../../records/count-records.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { cacheNames } from './cache-names.ts';
import {
  isMixed,
  readBuckets,
  readExtreme,
  readGroups,
  readPeriods,
  readRanges,
  readTotal,
} from './measures/read-aggregate.ts';
import { readChanges } from './read-changes.ts';
import { createCounts, readMonths, readSpan } from './read-counts.ts';
import { readKeys } from './read-keys.ts';
import { readKeysByName, readKeysWhere, readKnownKeys } from './read-named.ts';
import { readPage } from './read-page.ts';
import { readHorizon, readNewest, readRecords, readRecordsAt } from './read-records.ts';
import { readFlaggedAuthors, readValues, readValuesAmong, readValuesContaining } from './read-values.ts';

/** Reads records of an owner. */
export function createRecordReads(db: OwnerQueries): RecordReads {
  const bind = <Args extends unknown[], T>(read: (db: OwnerQueries, ...args: Args) => T) =>
    read.bind(undefined, db) as (...args: Args) => T;
  const counts = createCounts(db);
  return {
    horizon: bind(readHorizon),
    page: bind(readPage),
    find: bind(readRecords),
    changes: bind(readChanges),
    newest: bind(readNewest),
    recordsAt: bind(readRecordsAt),
    keys: bind(readKeys),
    knownKeys: bind(readKnownKeys),
    keysWhere: bind(readKeysWhere),
    names: cacheNames(db),
    named: bind(readKeysByName),
    count: (...request) => countRecords(counts, ...request),
    countTogether: (scopes) => countTogether(counts, scopes),
    countPeriods: counts.periods,
    months: bind(readMonths),
    span: bind(readSpan),
    values: bind(readValues),
    valuesContaining: bind(readValuesContaining),
    valuesAmong: bind(readValuesAmong),
    flaggedAuthors: bind(readFlaggedAuthors),
    measures: {
      total: (parts, request) => readTotal(db, parts, request),
      totalsByPeriod: bind(readPeriods),
      totalsByRange: bind(readRanges),
      isMixed: bind(isMixed),
      extreme: bind(readExtreme),
      groups: bind(readGroups),
      buckets: bind(readBuckets),
    },
  };
}
