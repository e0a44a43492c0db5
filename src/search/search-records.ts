import { parseQuery, type Term, toExpression, type Variants } from './parse-query.ts';
import { type Candidate, compareRanked, type Ranked, rankCandidates, weighTerms } from './rank.ts';

/** How a search reads: candidates for an expression, and words like a word. Both know visible records only. */
export interface SearchSource<T extends Candidate> {
  find(expression: string, limit: number): Promise<T[]>;
  findSimilar(word: string): Promise<string[]>;
}

/** What the first page settled and the later ones keep to. */
export interface SearchPlan {
  readonly join: 'all' | 'any';
  /** Per term: is it matched as a beginning, what other spellings count, what does it weigh. */
  readonly terms: readonly {
    readonly prefix: boolean;
    readonly similar: readonly string[];
    readonly weight: number;
  }[];
}

export interface SearchOutcome<T extends Candidate> {
  readonly ranked: Ranked<T>[];
  readonly plan: SearchPlan;
  readonly variants: readonly Variants[];
  /** More records matched than were ranked. */
  readonly limited: boolean;
}

/** Matches that are ranked; the newest ones when there are more. */
export const CANDIDATES = 300;
/** With fewer hits than this, a search is widened: beginnings of words, then spellings, then any of the words. */
const FEW = 10;

/** Finds and ranks. Widening depends on what is visible alone, never on the page size. */
export async function searchRecords<T extends Candidate>(
  query: string,
  source: SearchSource<T>,
  settled?: SearchPlan,
): Promise<SearchOutcome<T>> {
  const terms = parseQuery(query);
  if (terms.length === 0)
    return { ranked: [], plan: { join: 'all', terms: [] }, variants: [], limited: false };
  if (settled !== undefined) {
    const variants = terms.map((term, index) => ({
      term,
      ...(settled.terms[index] ?? { prefix: false, similar: [] }),
    }));
    const found = await source.find(toExpression(variants, settled.join), CANDIDATES + 1);
    return rank(found, variants, settled);
  }
  const { found, variants, join } = await widen(terms, source);
  const weights = weighTerms(found.slice(0, CANDIDATES), variants);
  const plan: SearchPlan = {
    join,
    terms: variants.map(({ prefix, similar }, index) => ({ prefix, similar, weight: weights[index] ?? 1 })),
  };
  return rank(found, variants, plan);
}

function rank<T extends Candidate>(
  found: T[],
  variants: readonly Variants[],
  plan: SearchPlan,
): SearchOutcome<T> {
  const ranked = rankCandidates(
    found.slice(0, CANDIDATES),
    variants,
    plan.terms.map((term) => term.weight),
  );
  return { ranked, plan, variants, limited: found.length > CANDIDATES };
}

interface Widened<T> {
  found: T[];
  variants: Variants[];
  join: 'all' | 'any';
}

async function widen<T extends Candidate>(
  terms: readonly Term[],
  source: SearchSource<T>,
): Promise<Widened<T>> {
  const find = (variants: Variants[], join: 'all' | 'any') =>
    source.find(toExpression(variants, join), CANDIDATES + 1);
  let variants: Variants[] = terms.map((term) => ({ term, prefix: false, similar: [] }));
  let found = await find(variants, 'all');
  if (found.length >= FEW) return { found, variants, join: 'all' };

  variants = variants.map((one) => ({
    ...one,
    prefix: one.term.kind === 'word' && one.term.word.length >= 2,
  }));
  found = await find(variants, 'all');
  if (found.length >= FEW) return { found, variants, join: 'all' };

  for (const [index, one] of variants.entries()) {
    const matches =
      terms.length === 1 ? found.length : (await source.find(toExpression([one], 'all'), 1)).length;
    if (matches > 0 || one.term.kind === 'phrase') continue;
    variants[index] = { ...one, similar: await source.findSimilar(one.term.word) };
  }
  found = await find(variants, 'all');
  if (found.length > 0 || terms.length === 1) return { found, variants, join: 'all' };
  return { found: await find(variants, 'any'), variants, join: 'any' };
}

/** The hits after a place in the order, and whether more follow. */
export function pageOf<T extends Candidate>(
  ranked: readonly Ranked<T>[],
  after: { score: number; t: number | undefined; id: string } | undefined,
  limit: number,
): { page: Ranked<T>[]; hasMore: boolean } {
  const last = after && { score: after.score, candidate: { id: after.id, t: after.t, texts: [] } };
  const rest = last === undefined ? ranked : ranked.filter((one) => compareRanked(last, one) < 0);
  return { page: rest.slice(0, limit), hasMore: rest.length > limit };
}
