import type { Variants } from './choose-spellings.ts';
import { MAX_TERMS } from './parse-query.ts';
import { type Candidate, compareRanked, type Ranked } from './rank.ts';
import { type SearchOutcome, type SearchPlan, searchRecords } from './search-records.ts';
import type { SearchSource } from './search-source.ts';

/** The plan of one wording, made for the first page. */
export interface WordingPlan {
  readonly plan: SearchPlan;
  /** The scores at LADDER_RANKS on the first page. Later pages derive ranks from them, even if the data changed. */
  readonly ladder: readonly number[];
}

export interface WordingsOutcome<T extends Candidate> extends Omit<SearchOutcome<T>, 'plan'> {
  readonly plans: readonly WordingPlan[];
  /** The weight of each term of `variants`. */
  readonly weights: readonly number[];
}

/** Terms per wording after the first, so that five wordings cost little more than a long query. */
const MAX_WORDING_TERMS = 12;
const LADDER_RANKS = [1, 3, 10, 30, 100];
/** Reciprocal rank fusion: a hit adds SCALE / (DAMPING + rank) for each wording that finds it. */
const DAMPING = 10;
const SCALE = 1_000_000;

/**
 * Searches each wording separately and fuses the hits by rank. A single wording keeps its scores, as in a plain search.
 * Several wordings use no feedback: the caller's own words work better and cost less.
 */
export async function searchWordings<T extends Candidate>(
  wordings: readonly string[],
  source: SearchSource<T>,
  now: number,
  previous?: readonly WordingPlan[],
): Promise<WordingsOutcome<T>> {
  const outcomes: SearchOutcome<T>[] = [];
  for (const [at, wording] of wordings.entries()) {
    const rules = { maxTerms: at === 0 ? MAX_TERMS : MAX_WORDING_TERMS, usesFeedback: wordings.length === 1 };
    outcomes.push(await searchRecords(wording, source, now, previous?.[at]?.plan, rules));
  }
  const plans = outcomes.map(
    ({ plan, ranked }, at) => previous?.[at] ?? { plan, ladder: buildLadder(ranked) },
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

/** Returns a single list unchanged, because marks are cached by the identity of the list. */
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

/** Returns the rank of a score on the first page, interpolated between the ranks of the ladder. */
function rankOf(score: number, ladder: readonly number[]): number {
  const below = ladder.findIndex((step) => step <= score);
  if (below === 0) return 1;
  const at = below === -1 ? ladder.length : below;
  const [rank, upper] = [LADDER_RANKS[at - 1] ?? 1, ladder[at - 1] ?? score];
  const [nextRank, lower] = [LADDER_RANKS[at] ?? rank * 3, ladder[at] ?? 0];
  return upper === lower ? rank : rank + ((upper - score) / (upper - lower)) * (nextRank - rank);
}
