import { type Kysely, sql } from 'kysely';
import type { Scope } from '../../../../src/store/scope.ts';
import type { FieldRole } from '../../../../src/store/search-reads.ts';
import { writeExpression } from '../../../../src/store/sqlite/reads/search/match-sql.ts';
import type { Tables } from '../../../../src/store/sqlite/tables.ts';
import { NO_TIME } from '../../../../src/store/values.ts';
import type { MatchTerms } from '../../../../src/words/match-terms.ts';
import type { Active } from './mutate-scope.ts';

type Matches = typeof import('../../../../src/store/sqlite/reads/search/read-matches.ts');
type Matching = typeof import('../../../../src/store/sqlite/reads/search/read-matching.ts');
type Newest = typeof import('../../../../src/store/search/newest-matched.ts');
type PostingsModule = typeof import('../../../../src/store/sqlite/reads/search/read-postings.ts');
type Weigh = typeof import('../../../../src/search/weigh-terms.ts');
type Compounds = typeof import('../../../../src/search/choose-compounds.ts');
type NearWords = typeof import('../../../../src/search/nearest-words.ts');
type Copies = typeof import('../../../../src/tools/search/search-copies.ts');
type CacheModule = typeof import('../../../../src/reader/search/search-cache.ts');
type Words = typeof import('../../../../src/reader/search/granted-words.ts');

/** What a row at hand must meet to be visible, as the scope says it in SQL. */
function isVisible(scope: Scope, row: { t: number; key: string }): boolean {
  if (scope.since !== undefined && row.t < scope.since) return false;
  if (scope.until !== undefined && (row.t >= scope.until || row.t === NO_TIME)) return false;
  return scope.keys === undefined || scope.keys.has(row.key);
}

/** The database of the last search, for faults that look past the grant. */
let looked: Kysely<Tables> | undefined;

/** How many records of the whole index, hidden ones included, hold each word that was looked for. */
const inIndex = new Map<string, number>();

export function mutateMatches(real: Matches, active: Active): Matches {
  return {
    ...real,
    async readMatches(db, parts, ...request) {
      if (active.mutant !== 'filters matches after the limit') return real.readMatches(db, parts, ...request);
      const open = parts.map(({ scope, conditions }) => ({
        scope: { ...scope, since: undefined, until: undefined, keys: undefined },
        conditions,
      }));
      const scopes = new Map(parts.map(({ scope }) => [scope.stream.streamId, scope]));
      const rows = await real.readMatches(db, open, ...request);
      return rows.filter((row) => isVisible(scopes.get(row.stream_id) as Scope, row));
    },
  };
}

export function mutateMatching(real: Matching, active: Active): Matching {
  return {
    ...real,
    async countMatching(db, parts, terms, most) {
      looked = db;
      const everywhere = await countInIndex(db, terms);
      const [[only, ...others] = [], ...lists] = terms;
      if (only?.isPrefix === false && others.length + lists.length === 0) inIndex.set(only.word, everywhere);
      return active.mutant === 'cuts candidates by hidden records'
        ? Math.min(most, everywhere)
        : real.countMatching(db, parts, terms, most);
    },
  };
}

export function mutateNewest(real: Newest, active: Active): Newest {
  return {
    ...real,
    async readNewestMatched(read, parts, rids, most) {
      if (active.mutant !== 'cuts candidates by row id')
        return real.readNewestMatched(read, parts, rids, most);
      const cut = rids.toSorted((a, b) => b - a).slice(0, most);
      return real.readNewestMatched(read, parts, cut, most);
    },
  };
}

async function countInIndex(db: Kysely<Tables>, terms: MatchTerms): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from texts x where x.texts match ${writeExpression(terms)}`.execute(db);
  return rows[0]?.n ?? 0;
}

export function mutateWeights(real: Weigh, active: Active): Weigh {
  return {
    ...real,
    async weighTerms(terms, ...rest) {
      if (active.mutant !== 'weighs words by hidden records') return real.weighTerms(terms, ...rest);
      return terms.map(({ term }) => Math.max(1, 2_000 - 100 * (inIndex.get(term.word) ?? 0)));
    },
  };
}

export function mutateNearWords(real: NearWords, active: Active): NearWords {
  return {
    ...real,
    findNearestWords: (question, source) =>
      active.mutant === 'takes near words from hidden records' && looked !== undefined
        ? real.findNearestWords(question, { findForms: findAny(looked) })
        : real.findNearestWords(question, source),
  };
}

/** A search that takes a word for joined if any record has its parts. */
export function mutateCompounds(real: Compounds, active: Active): Compounds {
  return {
    ...real,
    findParts(term, languages, source) {
      const db = looked;
      const isFaulty = active.mutant === 'takes parts from hidden words' && db !== undefined;
      return real.findParts(
        term,
        languages,
        isFaulty ? { ...source, countMatching: (terms) => countInIndex(db, terms) } : source,
      );
    },
  };
}

async function listBeginning(db: Kysely<Tables>, beginning: string): Promise<string[]> {
  const rows = await db.selectFrom('lexicon').select('word').orderBy('word').execute();
  return rows.map(({ word }) => word).filter((word) => word.startsWith(beginning));
}

function findAny(db: Kysely<Tables>): Parameters<NearWords['findNearestWords']>[1]['findForms'] {
  return async (beginning, isForm) =>
    (await listBeginning(db, beginning)).filter(isForm).map((word) => ({ word, count: 1 }));
}

export function mutateCopies(real: Copies, active: Active): Copies {
  return {
    ...real,
    async foldCopies(...args) {
      const page = await real.foldCopies(...args);
      if (active.mutant !== 'counts copies among hidden records' || looked === undefined) return page;
      for (const { hit, copies } of page) {
        const text = JSON.stringify(hit.texts[0]?.text ?? '');
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from records r where instr(r.data, ${text}) > 0`.execute(looked);
        for (let at = copies.length + 1; at < (rows[0]?.n ?? 0); at++) copies.push(hit.candidate.id);
      }
      return page;
    },
  };
}

/** Caches that belong to all apps of a store. */
export function mutateSearchCache(real: CacheModule, active: Active): CacheModule {
  const shared = new WeakMap<object, Map<string, unknown>>();
  class FaultyCache extends real.SearchCache {
    readonly #store: object;

    constructor(...args: ConstructorParameters<CacheModule['SearchCache']>) {
      super(...args);
      this.#store = args[0];
    }

    async #share<T>(key: string, read: () => Promise<T>): Promise<T> {
      const values = shared.get(this.#store) ?? new Map<string, unknown>();
      shared.set(this.#store, values);
      if (!values.has(key)) values.set(key, await read());
      return values.get(key) as T;
    }

    override async count(
      ...[where, name, count]: Parameters<InstanceType<CacheModule['SearchCache']>['count']>
    ) {
      if (active.mutant !== 'shares counts of words between apps') return super.count(where, name, count);
      const { horizon } = await this.resolve(where);
      return this.#share(`${horizon} ${name}`, () => super.count(where, name, count));
    }

    override async search<T extends object>(
      where: Parameters<InstanceType<CacheModule['SearchCache']>['search']>[0],
      name: string,
      search: () => Promise<T>,
      bytesOf: (result: T) => number,
    ): Promise<T> {
      const { horizon } = await this.resolve(where);
      if (active.mutant === 'shares searches between apps') return this.#share(`${horizon} ${name}`, search);
      return super.search(where, name, search, bytesOf);
    }
  }
  return { ...real, SearchCache: FaultyCache };
}

/** A search that takes words straight from the dictionary, which knows every word there is. */
export function mutateGrantedWords(real: Words, active: Active): Words {
  class FaultyWords extends real.GrantedWords {
    readonly #dictionary: ConstructorParameters<Words['GrantedWords']>[2];

    readonly #search: ConstructorParameters<Words['GrantedWords']>[0];

    constructor(...args: ConstructorParameters<Words['GrantedWords']>) {
      super(...args);
      this.#dictionary = args[2];
      this.#search = args[0];
    }

    override async similar(...args: Parameters<InstanceType<Words['GrantedWords']>['similar']>) {
      return active.mutant === 'takes spellings from hidden records'
        ? (await this.#dictionary.findSimilar(args[1])).slice(0, 8).map((word) => ({ word, count: 1 }))
        : super.similar(...args);
    }

    override async compounds(...args: Parameters<InstanceType<Words['GrantedWords']>['compounds']>) {
      if (active.mutant !== 'takes compounds from hidden words') return super.compounds(...args);
      const words = (await this.#dictionary.findContaining(args[1])).filter(
        (word) => args[2](word) !== undefined,
      );
      return words
        .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
        .slice(0, 8)
        .map((word) => ({ word, count: 1 }));
    }

    override async forms(...args: Parameters<InstanceType<Words['GrantedWords']>['forms']>) {
      if (active.mutant !== 'takes forms from hidden words') return super.forms(...args);
      const words = await this.#search.wordsWithPrefix(args[1]);
      return words
        .filter(args[2])
        .slice(0, 12)
        .map((word) => ({ word, count: 1 }));
    }
  }
  return { ...real, GrantedWords: FaultyWords };
}

/** Searching ungranted columns also needs roles for them: the reader gives roles to granted fields only. */
export function mutatePostings(real: PostingsModule, active: Active): PostingsModule {
  return {
    ...real,
    readPostings(scanRows, parts, roles, spelling) {
      if (active.mutant !== 'searches ungranted columns')
        return real.readPostings(scanRows, parts, roles, spelling);
      const open = parts.map(({ scope: { stream } }) => {
        const fields = Object.keys(stream.plan.texts).map((name) => [name, 'body'] as const);
        return [
          stream.streamId,
          new Map<string, FieldRole>([...fields, ...(roles.get(stream.streamId) ?? [])]),
        ] as const;
      });
      return real.readPostings(scanRows, parts, new Map(open), spelling);
    },
  };
}
