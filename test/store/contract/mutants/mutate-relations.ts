import type { GrantedScope, GrantedStream } from '../../../../src/reader/granted-stream.ts';
import type { Scope } from '../../../../src/store/scope.ts';
import type { Active } from './mutate-scope.ts';

/** Leaks through a relation, from a visible record to a hidden one. */

type Scopes = typeof import('../../../../src/reader/granted-scopes.ts');
type Streams = typeof import('../../../../src/reader/granted-stream.ts');
type Counts = typeof import('../../../../src/store/sqlite/reads/read-counts.ts');
type Named = typeof import('../../../../src/store/sqlite/reads/read-named.ts');

const openScope = <One extends Scope>(scope: One): One => ({
  ...scope,
  since: undefined,
  until: undefined,
  keys: undefined,
});
const isOfOne = (conditions: readonly { readonly field: { readonly name: string } }[]) =>
  conditions.some(({ field }) => field.name === 'parent_id');

/** A relation leads to records or fields of its target that are not granted. */
export function mutateTargets(real: Scopes, streams: Streams, active: Active): Scopes {
  class FaultyScopes extends real.GrantedScopes {
    readonly #open = new Map<GrantedStream, GrantedScope>();

    override of(stream: GrantedStream): GrantedScope {
      return this.#open.get(stream) ?? super.of(stream);
    }

    override target(...args: Parameters<InstanceType<Scopes['GrantedScopes']>['target']>) {
      const target = super.target(...args);
      const scope = super.of(target);
      const all = [...scope.stream.fields.keys()];
      if (active.mutant === 'expands to records outside the window')
        return this.#reach(target, openScope(scope));
      if (active.mutant !== 'expands to hidden fields') return target;
      const open = { ...scope, fields: new Set(all), fieldNames: all };
      return this.#reach({ ...target, fields: streams.createGrantedStream(open, []).fields }, open);
    }

    #reach(target: GrantedStream, scope: GrantedScope): GrantedStream {
      const copy = { ...target };
      this.#open.set(copy, scope);
      return copy;
    }
  }
  return { ...real, GrantedScopes: FaultyScopes };
}

/** The number of records that belong to a visible one includes hidden ones. */
export function mutateCounts(real: Counts, active: Active): Counts {
  return {
    ...real,
    createCounts(db) {
      const counts = real.createCounts(db);
      return {
        ...counts,
        each: (scope, conditions) =>
          counts.each(
            active.mutant === 'counts hidden records of a visible one' && isOfOne(conditions)
              ? openScope(scope)
              : scope,
            conditions,
          ),
      };
    },
  };
}

/** A filter on a relation passes by records that point to hidden ones. */
export function mutateThrough(real: Named, active: Active): Named {
  return {
    ...real,
    readKeysWhere: (db, scope, ...rest) =>
      real.readKeysWhere(
        db,
        active.mutant === 'filters by records outside the window' ? openScope(scope) : scope,
        ...rest,
      ),
  };
}
