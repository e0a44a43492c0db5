import type { Variants } from './choose-spellings.ts';
import { MAX_TERMS } from './parse-query.ts';
import { type Candidate, compareRanked, type Ranked } from './rank.ts';
import { type SearchOutcome, type SearchPlan, searchRecords } from './search-records.ts';
import type { SearchSource } from './search-source.ts';

/** What the first page settled about one wording. */
export interface WordingPlan {
  readonly plan: SearchPlan;
  /** The scores at some ranks of the first page's order. A score tells a record's rank by them, whatever is stored later. */
  readonly ladder: readonly number[];
}

export interface WordingsOutcome<T extends Candidate> extends Omit<SearchOutcome<T>, 'plan'> {
  readonly plans: readonly WordingPlan[];
  /** What each term of `variants` weighs. */
  readonly weights: readonly number[];
}

/** Terms of each wording after the first, so that five of them cost little more than a long question. */
const MAX_WORDING_TERMS = 12;
/** The ranks whose scores are kept. */
const LADDER_RANKS = [1, 3, 10, 30, 100];
/** Reciprocal rank fusion: a hit adds SCALE / (DAMPING + rank) for each wording that finds it. */
const DAMPING = 10;
const SCALE = 1_000_000;

/**
 * Searches for each wording by itself and fuses the hits by rank. One wording alone keeps its own scores, so that its
 * answer is that of a plain search. Of several, none takes feedback: the caller's words do better, and cost less.
 */
export async function searchWordings<T extends Candidate>(
  wordings: readonly string[],
  source: SearchSource<T>,
  now: number,
  settled?: readonly WordingPlan[],
): Promise<WordingsOutcome<T>> {
  const outcomes: SearchOutcome<T>[] = [];
  for (const [at, wording] of wordings.entries()) {
    const rules = { maxTerms: at === 0 ? MAX_TERMS : MAX_WORDING_TERMS, usesFeedback: wordings.length === 1 };
    outcomes.push(await searchRecords(wording, source, now, settled?.[at]?.plan, rules));
  }
  const plans = outcomes.map(
    ({ plan, ranked }, at) => settled?.[at] ?? { plan, ladder: buildLadder(ranked) },
  );
  return {
    ranked: outcomes.length === 1 ? (outcomes[0] as SearchOutcome<T>).ranked : fuse(outcomes, plans),
    plans,
    variants: joinVariants(outcomes),
    weights: outcomes.flatMap(({ plan }) => plan.terms.map(({ weight }) => weight)),
    relaxed: outcomes.every(({ relaxed }) => relaxed),
    coverage: Math.max(...outcomes.map(({ coverage }) => coverage)),
    limited: outcomes.some(({ limited }) => limited),
  };
}

/** One list is handed on as it is: what is looked for is put together once for each list. */
function joinVariants(outcomes: readonly SearchOutcome<Candidate>[]): readonly Variants[] {
  const [only, ...others] = outcomes.map(({ variants }) => variants);
  return others.length === 0 ? (only ?? []) : outcomes.flatMap(({ variants }) => variants);
}

function buildLadder(ranked: readonly Ranked<Candidate>[]): number[] {
  return LADDER_RANKS.flatMap((rank) => ranked[rank - 1]?.score ?? []);
}

function fuse<T extends Candidate>(
  outcomes: readonly SearchOutcome<T>[],
  plans: readonly WordingPlan[],
): Ranked<T>[] {
  const fused = new Map<string, { candidate: T; score: number }>();
  for (const [at, { ranked }] of outcomes.entries()) {
    const { ladder } = plans[at] as WordingPlan;
    for (const { candidate, score } of ranked) {
      const known = fused.get(candidate.id) ?? { candidate, score: 0 };
      known.score += Math.round(SCALE / (DAMPING + rankOf(score, ladder)));
      fused.set(candidate.id, known);
    }
  }
  return [...fused.values()].sort(compareRanked);
}

/** The rank that a score had on the first page, read off between the ranks that were kept. */
function rankOf(score: number, ladder: readonly number[]): number {
  const below = ladder.findIndex((step) => step <= score);
  if (below === 0) return 1;
  const at = below === -1 ? ladder.length : below;
  const [rank, upper] = [LADDER_RANKS[at - 1] ?? 1, ladder[at - 1] ?? score];
  const [nextRank, lower] = [LADDER_RANKS[at] ?? rank * 3, ladder[at] ?? 0];
  return upper === lower ? rank : rank + ((upper - score) / (upper - lower)) * (nextRank - rank);
}
