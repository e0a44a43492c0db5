import { sql } from 'kysely';
import type { Active } from './mutate-scope.ts';

/** What a record was, and whether it has stayed in view since. */
export function mutatePast(
  real: typeof import('../../../../src/store/sqlite/reads/past.ts'),
  active: Active,
): typeof real {
  return {
    ...real,
    visibleVersionAt(scope, key, at) {
      return active.mutant === 'tells of changes outside the window'
        ? real.visibleVersionAt({ ...scope, since: undefined, until: undefined }, key, at)
        : real.visibleVersionAt(scope, key, at);
    },
    movedOutSince(scope, key, at) {
      return active.mutant === 'remembers what has left the view'
        ? sql`false`
        : real.movedOutSince(scope, key, at);
    },
    isVisibleNow(scope, key) {
      return active.mutant === 'shows on old pages what is gone' ? sql`true` : real.isVisibleNow(scope, key);
    },
  };
}
