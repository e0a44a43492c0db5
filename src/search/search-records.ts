import { anyOf, joinParts, quoteBeginning, quoteWord } from '../words/match-expression.ts';
import { parseQuery, type Term, type Variants } from './parse-query.ts';
import {
  type Candidate,
  compareRanked,
  countMatched,
  type Features,
  lookInto,
  type Ranked,
  scoreFeatures,
  weighTerms,
} from './rank.ts';
import { type CandidateText, charactersEach } from './share-out.ts';

/** How a search reads: candidates for an expression, their texts, and words like a word. All of it is visible. */
export interface SearchSource<T extends Candidate> {
  find(expression: string, limit: number): Promise<T[]>;
  /** Whether anything matches. */
  occurs(expression: string): Promise<boolean>;
  /** The texts of candidates one after another, each cut after so many characters. */
  read(candidates: readonly T[], characters: number): AsyncIterable<{ candidate: T; texts: CandidateText[] }>;
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
  /** How much of each record was looked at, for showing it by the same part. */
  readonly characters: number;
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
  const { found, variants, join } =
    settled === undefined ? await widen(terms, source) : await findSettled(terms, source, settled);
  const candidates = found.slice(0, CANDIDATES);
  const characters = charactersEach(candidates.length);
  const looked: { candidate: T; features: Features }[] = [];
  for await (const { candidate, texts } of source.read(candidates, characters)) {
    const features = lookInto(texts, variants, characters);
    if (isConfirmed(features, join)) looked.push({ candidate, features });
  }
  const weights =
    settled?.terms.map((term) => term.weight) ??
    weighTerms(
      looked.map(({ features }) => features),
      variants,
    );
  const ranked = looked.map(({ candidate, features }) => ({
    candidate,
    score: scoreFeatures(features, weights),
  }));
  const plan = settled ?? {
    join,
    terms: variants.map(({ prefix, similar }, index) => ({ prefix, similar, weight: weights[index] ?? 1 })),
  };
  const limited = found.length > CANDIDATES;
  return { ranked: ranked.sort(compareRanked), plan, variants, characters, limited };
}

/** A net under the index: what was looked at as a whole must hold the words. */
function isConfirmed(features: Features, join: 'all' | 'any'): boolean {
  const needed = join === 'all' ? features.terms.length : 1;
  return !features.whole || countMatched(features) >= needed;
}

interface Widened<T> {
  found: T[];
  variants: Variants[];
  join: 'all' | 'any';
}

async function findSettled<T extends Candidate>(
  terms: readonly Term[],
  source: SearchSource<T>,
  settled: SearchPlan,
): Promise<Widened<T>> {
  const variants = terms.map((term, index) => ({
    term,
    ...(settled.terms[index] ?? { prefix: false, similar: [] }),
  }));
  const found =
    terms.length === 0 ? [] : await source.find(toExpression(variants, settled.join), CANDIDATES + 1);
  return { found, variants, join: settled.join };
}

async function widen<T extends Candidate>(
  terms: readonly Term[],
  source: SearchSource<T>,
): Promise<Widened<T>> {
  const find = (variants: Variants[], join: 'all' | 'any') =>
    source.find(toExpression(variants, join), CANDIDATES + 1);
  let variants: Variants[] = terms.map((term) => ({ term, prefix: false, similar: [] }));
  if (terms.length === 0) return { found: [], variants, join: 'all' };
  let found = await find(variants, 'all');
  if (found.length >= FEW) return { found, variants, join: 'all' };

  variants = variants.map((one) => ({
    ...one,
    prefix: one.term.kind === 'word' && one.term.word.length >= 2,
  }));
  found = await find(variants, 'all');
  if (found.length >= FEW) return { found, variants, join: 'all' };

  for (const [index, one] of variants.entries()) {
    const occurs = terms.length === 1 ? found.length > 0 : await source.occurs(toExpression([one], 'all'));
    if (occurs || one.term.kind === 'phrase') continue;
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
  const last = after && { score: after.score, candidate: { id: after.id, t: after.t } };
  const rest = last === undefined ? ranked : ranked.filter((one) => compareRanked(last, one) < 0);
  return { page: rest.slice(0, limit), hasMore: rest.length > limit };
}

/** What the index is asked for: every term, or any of them, each in one of its spellings. */
function toExpression(variants: readonly Variants[], join: 'all' | 'any'): string {
  const parts = variants.map(({ term: { word }, prefix, similar }) =>
    anyOf([prefix ? quoteBeginning(word) : quoteWord(word), ...similar.map(quoteWord)]),
  );
  return joinParts(parts, join);
}
