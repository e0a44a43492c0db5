import type { GroupColumn } from '../../../../src/store/record-reads.ts';
import type { Scope } from '../../../../src/store/scope.ts';
import { type Active, withoutKeys, withoutWindow } from './mutate-scope.ts';

/** What is said about values: names, the most frequent ones, units, and who the owner is. */

type Values = typeof import('../../../../src/store/sqlite/reads/read-values.ts');
type Named = typeof import('../../../../src/store/sqlite/reads/read-named.ts');
type Groups = typeof import('../../../../src/store/sqlite/reads/measures/read-groups.ts');
type Aggregate = typeof import('../../../../src/store/sqlite/reads/measures/read-aggregate.ts');

const open = (scope: Scope): Scope => withoutKeys(withoutWindow(scope));

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
        active.mutant === 'names what is near in hidden records'
          ? parts.map((part) => ({ ...part, scope: open(part.scope) }))
          : parts,
        ...rest,
      ),
  };
}

const openTarget = (column: GroupColumn): GroupColumn =>
  column.kind === 'related' ? { ...column, target: open(column.target) } : column;

/** What keys are called, and what names and fields of related records in a filter stand for. */
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

/** The units of what is measured are asked for as groups by one field. */
export function mutateGroups(real: Groups, active: Active): Groups {
  return {
    ...real,
    readGroups(db, parts, measure, ...rest) {
      const isUnit = measure.metric === 'count' && parts[0]?.groupBy[0]?.field.name === 'currency';
      const isFaulty =
        (isUnit && active.mutant === 'takes units from hidden records') ||
        (measure.time !== undefined && active.mutant === 'groups parts of time over hidden records');
      const read = isFaulty ? parts.map((part) => ({ ...part, scope: open(part.scope) })) : parts;
      const grouped =
        active.mutant === 'groups by fields of hidden records'
          ? read.map((part) => ({ ...part, groupBy: part.groupBy.map(openTarget) }))
          : read;
      return real.readGroups(db, grouped, measure, ...rest);
    },
  };
}

export function mutateUnits(real: Aggregate, active: Active): Aggregate {
  return {
    ...real,
    readRanges: (db, parts, ...rest) =>
      real.readRanges(
        db,
        active.mutant === 'measures ranges over hidden records'
          ? parts.map((part) => ({ ...part, scope: open(part.scope) }))
          : parts,
        ...rest,
      ),
    isMixed(db, parts) {
      const isFaulty = active.mutant === 'takes units from hidden records';
      return real.isMixed(db, isFaulty ? parts.map((part) => ({ ...part, scope: open(part.scope) })) : parts);
    },
  };
}
