import type { Kysely } from 'kysely';
import type { MeasureReads, RecordReads } from '../../record-reads.ts';
import type { Tables } from '../tables.ts';
import {
  isMixed,
  readBuckets,
  readExtreme,
  readGroups,
  readPeriods,
  readTotal,
} from './measures/read-aggregate.ts';
import { readRanges } from './measures/read-ranges.ts';
import { readChanges } from './read-changes.ts';
import {
  countPeriods,
  countPlain,
  countRecords,
  countTogether,
  readMonths,
  readSpan,
} from './read-counts.ts';
import { readKeys } from './read-keys.ts';
import { readKeysWhere, readKnownKeys, readNamed, readNames } from './read-named.ts';
import { readPage } from './read-page.ts';
import { createHorizonReader, readNewest, readRecords, readRecordsAt } from './read-records.ts';
import { readFlaggedAuthors, readValues, readValuesAmong, readValuesContaining } from './read-values.ts';

/** Reads records over one connection. */
export function createRecordReads(db: Kysely<Tables>): RecordReads {
  return {
    horizon: createHorizonReader(db),
    page: (scope, request) => readPage(db, scope, request),
    find: (scope, key, match) => readRecords(db, scope, key, match),
    changes: (scope, request) => readChanges(db, scope, request),
    newest: (scopes, perScope) => readNewest(db, scopes, perScope),
    recordsAt: (scopes, rows) => readRecordsAt(db, scopes, rows),
    keys: (scope, range, limit) => readKeys(db, scope, range, limit),
    knownKeys: (scope, keys) => readKnownKeys(db, scope, keys),
    keysWhere: (scope, conditions, limit) => readKeysWhere(db, scope, conditions, limit),
    names: (scope, field, keys) => readNames(db, scope, field, keys),
    named: (scope, field, names, limit) => readNamed(db, scope, field, names, limit),
    count: (scope, conditions, period) =>
      conditions.length > 0 ? countRecords(db, scope, conditions) : countPlain(db, scope, period),
    countTogether: (scopes) => countTogether(db, scopes),
    countPeriods: (scope, periods) => countPeriods(db, scope, periods),
    months: (scope) => readMonths(db, scope),
    span: (scope) => readSpan(db, scope),
    values: (scopes, field, limit) => readValues(db, scopes, field, limit),
    valuesContaining: (parts, text, limit) => readValuesContaining(db, parts, text, limit),
    valuesAmong: (scope, field, names) => readValuesAmong(db, scope, field, names),
    flaggedAuthors: (parts) => readFlaggedAuthors(db, parts),
    measures: createMeasureReads(db),
  };
}

function createMeasureReads(db: Kysely<Tables>): MeasureReads {
  return {
    total: (parts, request) => readTotal(db, parts, request),
    totalsByPeriod: (parts, request, periods) => readPeriods(db, parts, request, periods),
    totalsByRange: (parts, request) => readRanges(db, parts, request),
    isMixed: (parts) => isMixed(db, parts),
    extreme: (parts, metric) => readExtreme(db, parts, metric),
    groups: (parts, request, order, limit) => readGroups(db, parts, request, order, limit),
    buckets: (parts, request, edges) => readBuckets(db, parts, request, edges),
  };
}
