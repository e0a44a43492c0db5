import { DEPTH, type Question } from './collection.ts';

/** Quality measures, each from 0 to 1. */
export interface Quality {
  /** Recall at 10, relative to what ten hits can contain. */
  readonly recall: number;
  /** The reciprocal rank of the first relevant hit. */
  readonly mrr: number;
  /** Normalized discounted cumulative gain with binary relevance. */
  readonly ndcg: number;
}

/** Measures one answer by its first ten hits. A duplicate hit counts once. */
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

/** Returns the mean over queries, or zeros without any. */
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
