import { sql } from 'kysely';
import type { Scope } from '../../../src/reader/scope.ts';
import { NO_TIME } from '../../../src/store/tables.ts';
import type { Active } from './mutate-scope.ts';

type Matches = typeof import('../../../src/reader/read-matches.ts');
type Rank = typeof import('../../../src/search/rank.ts');
type Reader = typeof import('../../../src/reader/granted-reader.ts');

/** What a row at hand must meet to be visible, as the scope says it in SQL. */
function isVisible(scope: Scope, row: { t: number; key: string }): boolean {
  if (scope.since !== undefined && row.t < scope.since) return false;
  if (scope.until !== undefined && (row.t >= scope.until || row.t === NO_TIME)) return false;
  return scope.keys === undefined || scope.keys.has(row.key);
}

/** How many records of the whole index, hidden ones included, hold each word that was looked for. */
const inIndex = new Map<string, number>();

export function mutateMatches(real: Matches, active: Active): Matches {
  return {
    ...real,
    async readMatches(db, parts, request) {
      if (active.mutant === 'filters matches after the limit') {
        const open = parts.map(({ scope, conditions }) => ({
          scope: { ...scope, since: undefined, until: undefined, keys: undefined },
          conditions,
        }));
        const scopes = new Map(parts.map(({ scope }) => [scope.stream.streamId, scope]));
        const rows = await real.readMatches(db, open, request);
        return rows.filter((row) => isVisible(scopes.get(row.stream_id) as Scope, row));
      }
      if (active.mutant === 'weighs words by hidden records') {
        for (const [quoted, word] of request.expression.matchAll(/"([^"]+)"/g)) {
          const { rows } = await sql<{ n: number }>`
            select count(*) as n from texts x where x.texts match ${quoted}`.execute(db);
          inIndex.set(word as string, rows[0]?.n ?? 0);
        }
      }
      return real.readMatches(db, parts, request);
    },
  };
}

export function mutateRank(real: Rank, active: Active): Rank {
  return {
    ...real,
    weighTerms(candidates, variants) {
      if (active.mutant !== 'weighs words by hidden records') return real.weighTerms(candidates, variants);
      return variants.map(({ term }) => Math.max(1, 20 - (inIndex.get(term.word) ?? 0)));
    },
  };
}

/** A reader that takes spellings straight from the dictionary, which knows every word there is. */
export function mutateReader(real: Reader, active: Active): Reader {
  class FaultyReader extends real.GrantedReader {
    readonly #findSimilar: ConstructorParameters<Reader['GrantedReader']>[3];

    constructor(...args: ConstructorParameters<Reader['GrantedReader']>) {
      super(...args);
      this.#findSimilar = args[3];
    }

    override async similarWords(...args: Parameters<InstanceType<Reader['GrantedReader']>['similarWords']>) {
      return active.mutant === 'takes spellings from hidden records'
        ? (await this.#findSimilar(args[1])).slice(0, 8)
        : super.similarWords(...args);
    }
  }
  return { ...real, GrantedReader: FaultyReader };
}
