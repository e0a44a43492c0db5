import { sql } from '../../../../src/store/postgres/sql.ts';
import type { Scope } from '../../../../src/store/scope.ts';
import { NO_TIME } from '../../../../src/store/values.ts';
import { type Active, withoutKeys, withoutWindow } from './mutate-scope.ts';

type ScopeSql = typeof import('../../../../src/store/postgres/reads/scope-sql.ts');
type Past = typeof import('../../../../src/store/postgres/reads/past.ts');
type Changes = typeof import('../../../../src/store/postgres/reads/read-changes.ts');
type Records = typeof import('../../../../src/store/postgres/reads/read-records.ts');
type Counts = typeof import('../../../../src/store/postgres/reads/read-counts.ts');
type Values = typeof import('../../../../src/store/postgres/reads/read-values.ts');
type Named = typeof import('../../../../src/store/postgres/reads/read-named.ts');
type Aggregate = typeof import('../../../../src/store/postgres/reads/measures/read-aggregate.ts');
type Filter = typeof import('../../../../src/store/postgres/search/filter-visible.ts');

const open = (scope: Scope): Scope => withoutKeys(withoutWindow(scope));
const openPart = <Part extends { readonly scope: Scope }>(part: Part): Part => ({
  ...part,
  scope: open(part.scope),
});

/** The faults of mutate-scope.ts, mutate-past.ts and mutate-words.ts in the modules of PostgreSQL. */
export function mutateScopeSql(real: ScopeSql, active: Active): ScopeSql {
  return {
    ...real,
    whereVisible(db, scope, table) {
      const visible = real.whereVisible(db, scope, table);
      const { streamId } = scope.stream;
      const column = (name: string) => sql.raw(`${table}.${name}`);
      const own = sql`${column('owner_id')} = ${db.ownerId}`;
      const stream = column('stream_id');
      switch (active.mutant) {
        case 'drops the time window':
          return real.whereVisible(db, withoutWindow(scope), table);
        case 'drops the list of keys':
          return real.whereVisible(db, withoutKeys(scope), table);
        case 'ignores which stream is granted':
          return sql`(${visible} or ${own} and ${stream} <> ${streamId})`;
        case 'takes until as inside the window':
          return real.whereVisible(db, { ...scope, until: scope.until && scope.until + 1 }, table);
        case 'puts records without a time inside the window':
          return sql`(${visible} or ${own} and ${stream} = ${streamId} and ${column('t')} = ${NO_TIME})`;
        default:
          return visible;
      }
    },
  };
}

export function mutatePast(real: Past, active: Active): Past {
  return {
    ...real,
    visibleVersionAt: (db, scope, ...rest) =>
      real.visibleVersionAt(
        db,
        active.mutant === 'tells of changes outside the window' ? withoutWindow(scope) : scope,
        ...rest,
      ),
    movedOutSince: (...args) =>
      active.mutant === 'remembers what has left the view' ? sql`false` : real.movedOutSince(...args),
    isVisibleNow: (...args) =>
      active.mutant === 'shows on old pages what is gone' ? sql`true` : real.isVisibleNow(...args),
  };
}

export function mutateChanges(real: Changes, active: Active): Changes {
  return {
    ...real,
    async readChanges(db, scope, request) {
      if (active.mutant !== 'tells of changes in hidden fields') return real.readChanges(db, scope, request);
      const all = { ...scope, fieldNames: [...scope.stream.fields.keys()] };
      const changes = await real.readChanges(db, all, request);
      return changes.map((change) => {
        if ('removed' in change) return change;
        const seen = Object.entries(change.record).filter(([name]) => scope.fields.has(name));
        return { key: change.key, record: Object.fromEntries(seen) };
      });
    },
  };
}

export function mutateRecords(real: Records, active: Active): Records {
  return {
    ...real,
    readRecords: (db, scope, ...rest) =>
      real.readRecords(db, active.mutant === 'finds any record by its key' ? open(scope) : scope, ...rest),
  };
}

export function mutateCounts(real: Counts, active: Active): Counts {
  return {
    ...real,
    readSpan: (db, scope) =>
      real.readSpan(db, active.mutant === 'takes the time span from hidden records' ? open(scope) : scope),
  };
}

export function mutateValues(real: Values, active: Active): Values {
  return {
    ...real,
    readValues: (db, scopes, ...rest) =>
      real.readValues(
        db,
        active.mutant === 'takes values from hidden records' ? scopes.map(open) : scopes,
        ...rest,
      ),
    readValuesAmong: (db, scope, field, names) =>
      real.readValuesAmong(
        db,
        active.mutant === 'knows the owner from hidden records' ? open(scope) : scope,
        field,
        active.mutant === 'keeps a hundred names of the owner' ? names.slice(0, 100) : names,
      ),
    readValuesContaining: (db, parts, ...rest) =>
      real.readValuesContaining(
        db,
        active.mutant === 'names what is near in hidden records' ? parts.map(openPart) : parts,
        ...rest,
      ),
  };
}

export function mutateNamed(real: Named, active: Active): Named {
  const labelled = (scope: Scope) =>
    active.mutant === 'takes labels from hidden records' ? open(scope) : scope;
  const seen = (scope: Scope) =>
    active.mutant === 'takes names in filters from hidden records' ? open(scope) : scope;
  return {
    ...real,
    readNames: (db, scope, ...rest) => real.readNames(db, labelled(scope), ...rest),
    readKeysByName: (db, scope, ...rest) => real.readKeysByName(db, seen(scope), ...rest),
    readKeysWhere: (db, scope, ...rest) => real.readKeysWhere(db, seen(scope), ...rest),
  };
}

export function mutateAggregate(real: Aggregate, active: Active): Aggregate {
  return {
    ...real,
    isMixed: (db, parts) =>
      real.isMixed(db, active.mutant === 'takes units from hidden records' ? parts.map(openPart) : parts),
    readRanges: (db, parts, ...rest) =>
      real.readRanges(
        db,
        active.mutant === 'measures ranges over hidden records' ? parts.map(openPart) : parts,
        ...rest,
      ),
    readGroups(db, parts, measure, ...rest) {
      const isUnit = measure.metric === 'count' && parts[0]?.groupBy[0]?.field.name === 'currency';
      const isFaulty =
        (isUnit && active.mutant === 'takes units from hidden records') ||
        (measure.time !== undefined && active.mutant === 'groups parts of time over hidden records');
      const read = isFaulty ? parts.map(openPart) : parts;
      if (active.mutant !== 'groups by fields of hidden records')
        return real.readGroups(db, read, measure, ...rest);
      const related = read.map((part) => ({
        ...part,
        groupBy: part.groupBy.map((column) =>
          column.kind === 'related' ? { ...column, target: open(column.target) } : column,
        ),
      }));
      return real.readGroups(db, related, measure, ...rest);
    },
  };
}

export function mutateFilter(real: Filter, active: Active): Filter {
  return {
    ...real,
    filterVisible: async (db, parts, rids) =>
      active.mutant === 'weighs words by hidden records' ? rids : real.filterVisible(db, parts, rids),
  };
}
