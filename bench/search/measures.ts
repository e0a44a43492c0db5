import { DEPTH, type Question } from './collection.ts';

/** How good answers are, each figure from 0 to 1. */
export interface Quality {
  /** Of what could be among the first ten hits, how much is. */
  readonly recall: number;
  /** One over the rank of the first hit that answers. */
  readonly mrr: number;
  /** What stands higher counts more: gain 1 over the logarithm of the rank, against the best order there is. */
  readonly ndcg: number;
}

/** One question's answer. Nothing but the first ten hits counts, and a hit that comes twice counts once. */
export function measureAnswer(hits: readonly string[], relevant: ReadonlySet<string>): Quality {
  const seen = [...new Set(hits.slice(0, DEPTH))];
  const ranks = seen.flatMap((id, index) => (relevant.has(id) ? [index + 1] : []));
  const possible = Math.min(DEPTH, relevant.size);
  const best = Array.from({ length: possible }, (_, index) => gainAt(index + 1));
  return {
    recall: ranks.length / possible,
    mrr: ranks[0] === undefined ? 0 : 1 / ranks[0],
    ndcg: add(ranks.map(gainAt)) / add(best),
  };
}

/** The mean over questions; of none it is nothing. */
export function measureAnswers(
  questions: readonly Question[],
  hits: readonly (readonly string[])[],
): Quality {
  const each = questions.map((question, index) => measureAnswer(hits[index] ?? [], question.relevant));
  const mean = (figure: keyof Quality) => add(each.map((one) => one[figure])) / Math.max(1, each.length);
  return { recall: mean('recall'), mrr: mean('mrr'), ndcg: mean('ndcg') };
}

const gainAt = (rank: number) => 1 / Math.log2(rank + 1);
const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
