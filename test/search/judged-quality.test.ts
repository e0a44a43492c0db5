import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Question } from '../../bench/search/collection.ts';
import { listCollections } from '../../bench/search/collections.ts';
import { openFts5 } from '../../bench/search/engines/fts5.ts';
import { openOurs } from '../../bench/search/engines/ours.ts';
import { askAll, type Row } from '../../bench/search/evaluate.ts';
import { judgeKnownItems, measureKnownItems } from '../../bench/search/known-item.ts';
import type { Quality } from '../../bench/search/measures.ts';
import { misspellQuestion } from '../../bench/search/misspell.ts';
import { NOW } from '../support/world.ts';

/** The larger public collections are for `npm run bench:search`. */
const SMALL = ['life', 'demo', 'med'];

describe.each(listCollections(NOW).filter(({ name }) => SMALL.includes(name)))(
  'search on $name',
  ({ load }) => {
    let ours: Engine;
    let plain: Row;
    let porter: Row;
    let questions: readonly Question[];
    beforeAll(async () => {
      const collection = load();
      questions = collection.questions;
      const baseline = openFts5(collection.documents, 'porter');
      porter = await askAll(baseline, questions);
      await baseline.close();
      ours = await openOurs(collection, NOW);
      plain = await askAll(ours, questions);
    });
    afterAll(() => ours.close());

    it.each(['recall', 'mrr', 'ndcg'] as const)('reaches at least the %s of BM25 with stemming', (figure) => {
      expect(figureOf(plain, figure)).toBeGreaterThanOrEqual(figureOf(porter, figure));
    });

    it('keeps nine tenths of its nDCG if a third of the words are misspelled', async () => {
      const misspelt = questions.map((one) => ({ ...one, text: misspellQuestion(one.text) }));
      const row = await askAll(ours, misspelt);
      expect(figureOf(row, 'ndcg')).toBeGreaterThanOrEqual(0.9 * figureOf(plain, 'ndcg'));
    });
  },
);

describe('search for a known record', () => {
  it('finds it among the first three hits by a few of its words', async () => {
    const figures = await measureKnownItems({ items: 60, records: 3_000 }, NOW);
    expect(judgeKnownItems(figures).filter(({ isMet }) => !isMet)).toEqual([]);
  });
});

const figureOf = (row: Row, figure: keyof Quality): number => row.quality?.[figure] ?? 0;
