import { BASELINE, type Evaluation, OURS, OURS_MISSPELT } from './evaluate.ts';
import type { Quality } from './measures.ts';

export interface Verdict {
  readonly isMet: boolean;
  readonly target: string;
  readonly measured: string;
}

/** The required share of nDCG if a third of the words are misspelled. */
const LEFT_WHEN_MISSPELT = 0.9;

/** Requires the baseline in every column, and at most a tenth less with typing errors. */
export function judge({ collection, rows }: Evaluation): Verdict[] {
  const find = (engine: string) => rows.find((row) => row.engine === engine)?.quality;
  const [ours, baseline, misspelt] = [find(OURS), find(BASELINE), find(OURS_MISSPELT)];
  const verdicts: Verdict[] = [];
  if (ours !== undefined && baseline !== undefined) {
    for (const column of ['recall', 'mrr', 'ndcg'] as const) {
      const measured = `${ours[column].toFixed(3)} against ${baseline[column].toFixed(3)}`;
      const target = `${collection}: ${COLUMNS[column]} of ours at least that of ${BASELINE}`;
      verdicts.push({ isMet: ours[column] >= baseline[column], target, measured });
    }
  }
  if (ours !== undefined && misspelt !== undefined) {
    verdicts.push({
      isMet: misspelt.ndcg >= LEFT_WHEN_MISSPELT * ours.ndcg,
      target: `${collection}: a third of the words misspelt leaves ${LEFT_WHEN_MISSPELT} of nDCG@10`,
      measured: (misspelt.ndcg / ours.ndcg).toFixed(3),
    });
  }
  return verdicts;
}

export const COLUMNS: Record<keyof Quality, string> = { recall: 'recall@10', mrr: 'MRR', ndcg: 'nDCG@10' };
