import { isDeepStrictEqual } from 'node:util';
import {
  BASELINE,
  type Evaluation,
  OURS,
  OURS_MISSPELT,
  OURS_ON_POSTGRES,
  OURS_ON_POSTGRES_MISSPELT,
} from './evaluate.ts';
import type { Quality } from './measures.ts';

export interface Verdict {
  readonly isMet: boolean;
  readonly target: string;
  readonly measured: string;
}

/** The required share of nDCG if a third of the words are misspelled. */
const LEFT_WHEN_MISSPELT = 0.9;

/** Requires the baseline in every column, at most a tenth less with typing errors, and the same on both engines. */
export function judge(evaluation: Evaluation): Verdict[] {
  return [...judgeQuality(evaluation), ...judgeEngines(evaluation)];
}

/** Requires the same hits in the same order for every question. */
function judgeEngines({ collection, rows }: Evaluation): Verdict[] {
  const pairs = [
    [OURS, OURS_ON_POSTGRES],
    [OURS_MISSPELT, OURS_ON_POSTGRES_MISSPELT],
  ];
  return pairs.flatMap(([one, other]) => {
    const [here, there] = [one, other].map((name) => rows.find(({ engine }) => engine === name)?.answers);
    if (here === undefined || there === undefined) return [];
    const different = here.filter(({ hits }, at) => !isDeepStrictEqual(hits, there[at]?.hits)).length;
    return {
      isMet: different === 0,
      target: `${collection}: ${other} finds what ${one} finds, in the same order`,
      measured: `${here.length - different} of ${here.length} questions`,
    };
  });
}

function judgeQuality({ collection, rows }: Evaluation): Verdict[] {
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
