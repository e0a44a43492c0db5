import { sql } from 'kysely';
import type { Scope } from '../../../../src/store/scope.ts';
import { NO_TIME } from '../../../../src/store/values.ts';

type Visible = typeof import('../../../../src/store/sqlite/reads/scope-sql.ts');
type Part = typeof import('../../../../src/store/records/visible-part.ts');

/** The name of the one fault that is switched on, if any. */
export interface Active {
  mutant: string;
  /** Names that a faulty suggestion may pick from: everything in the store that was asked last. */
  names: string[];
}

export const withoutWindow = (scope: Scope): Scope => ({ ...scope, since: undefined, until: undefined });
export const withoutKeys = (scope: Scope): Scope => ({ ...scope, keys: undefined });

/** The rules of visibility, each of which can be broken. */
export function mutateVisible(real: Visible, active: Active): Visible {
  return {
    ...real,
    whereVisible(scope, table) {
      const id = scope.stream.streamId;
      const [streamId, t] = [sql.ref(`${table}.stream_id`), sql.ref(`${table}.t`)];
      switch (active.mutant) {
        case 'drops the time window':
          return real.whereVisible(withoutWindow(scope), table);
        case 'drops the list of keys':
          return real.whereVisible(withoutKeys(scope), table);
        case 'ignores which stream is granted':
          return sql`(${real.whereVisible(scope, table)} or ${streamId} <> ${id})`;
        case 'takes until as inside the window':
          return real.whereVisible(
            { ...scope, until: scope.until === undefined ? undefined : scope.until + 1 },
            table,
          );
        case 'puts records without a time inside the window':
          return sql`(${real.whereVisible(scope, table)} or (${streamId} = ${id} and ${t} = ${NO_TIME}))`;
        default:
          return real.whereVisible(scope, table);
      }
    },
  };
}

/** The rules that all engines share, each of which can be broken. */
export function mutatePart(real: Part, active: Active): Part {
  return {
    ...real,
    projectRecord(scope, data) {
      if (active.mutant !== 'skips the projection') return real.projectRecord(scope, data);
      const stored = Object.entries(JSON.parse(data) as Record<string, unknown>);
      return Object.fromEntries(stored.filter(([, value]) => value !== null));
    },
    visibleColumns(scope) {
      return active.mutant === 'searches ungranted columns'
        ? Object.values(scope.stream.plan.texts)
        : real.visibleColumns(scope);
    },
    coversWholeDays(scope) {
      return (
        active.mutant === 'counts from the day table although keys are limited' || real.coversWholeDays(scope)
      );
    },
    isUnrestricted(scope) {
      return (
        active.mutant === 'takes a limited stream for a whole one in search' || real.isUnrestricted(scope)
      );
    },
  };
}

/** Reads of changes. */
export function mutateChanges(
  real: typeof import('../../../../src/store/sqlite/reads/read-changes.ts'),
  active: Active,
): typeof real {
  return {
    ...real,
    async readChanges(db, scope, request) {
      if (active.mutant === 'tells of changes in hidden fields') {
        const changes = await real.readChanges(
          db,
          { ...scope, fieldNames: [...scope.stream.fields.keys()] },
          request,
        );
        return changes.map((change) =>
          'removed' in change
            ? change
            : {
                key: change.key,
                record: Object.fromEntries(
                  [...scope.fields].flatMap((name) =>
                    change.record[name] === undefined ? [] : [[name, change.record[name]]],
                  ),
                ),
              },
        );
      }
      if (active.mutant !== 'orders changes by sequence') return real.readChanges(db, scope, request);
      const all = await real.readChanges(db, scope, { ...request, afterKey: undefined, limit: 10_000 });
      const { rows } = await sql<{ key: string }>`
        select key from (
          select key, seq from records where stream_id = ${scope.stream.streamId}
          union all select key, seq from deletions where stream_id = ${scope.stream.streamId}
        ) order by seq`.execute(db);
      const order = rows.map((row) => row.key);
      const sorted = [...all].sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
      const from = sorted.findIndex((change) => change.key === request.afterKey) + 1;
      return sorted.slice(from, from + request.limit);
    },
  };
}

/** Reads by key. */
export function mutateRecords(
  real: typeof import('../../../../src/store/sqlite/reads/read-records.ts'),
  active: Active,
): typeof real {
  return {
    ...real,
    readRecords(db, scope, key, match) {
      return active.mutant === 'finds any record by its key'
        ? real.readRecords(db, withoutKeys(withoutWindow(scope)), key, match)
        : real.readRecords(db, scope, key, match);
    },
  };
}

/** Spans. */
export function mutateSpan(
  real: typeof import('../../../../src/store/sqlite/reads/read-counts.ts'),
  active: Active,
): typeof real {
  return {
    ...real,
    readSpan(db, scope) {
      return active.mutant === 'takes the time span from hidden records'
        ? real.readSpan(db, withoutKeys(withoutWindow(scope)))
        : real.readSpan(db, scope);
    },
  };
}
