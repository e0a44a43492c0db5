import { describe, expect, it } from 'vitest';
import type { JudgedDocument, Question } from '../../bench/search/collection.ts';
import { openFts5 } from '../../bench/search/engines/fts5.ts';
import { openMiniSearch } from '../../bench/search/engines/mini-search.ts';
import { askAll } from '../../bench/search/evaluate.ts';
import { judge } from '../../bench/search/judge.ts';
import { drawKnownItems } from '../../bench/search/known-item-questions.ts';
import { measureAnswer } from '../../bench/search/measures.ts';
import { misspellQuestion } from '../../bench/search/misspell.ts';
import { findSharedCollections, loadSharedCollection } from '../../bench/search/shared-collections.ts';
import { NOW } from '../support/world.ts';

const round = (value: number | undefined) => Number(value?.toFixed(3));

describe('recall, MRR and nDCG', () => {
  it('are one for a perfect answer and zero for a useless one', () => {
    expect(measureAnswer(['a', 'b', 'x'], new Set(['b', 'a']))).toEqual({ recall: 1, mrr: 1, ndcg: 1 });
    expect(measureAnswer(['x'], new Set(['a']))).toEqual({ recall: 0, mrr: 0, ndcg: 0 });
    expect(measureAnswer([], new Set(['a']))).toEqual({ recall: 0, mrr: 0, ndcg: 0 });
  });

  it('take the rank of each hit into account', () => {
    const { recall, mrr, ndcg } = measureAnswer(['x', 'a', 'y', 'b'], new Set(['a', 'b', 'c']));
    expect([recall, mrr].map(round)).toEqual([0.667, 0.5]);
    // (1/log2 3 + 1/log2 5) over (1 + 1/log2 3 + 1/2)
    expect(round(ndcg)).toBe(0.498);
  });

  it('use the first ten hits, assume at most ten relevant ones, and count a hit once', () => {
    const many = new Set(Array.from({ length: 30 }, (_, at) => `r${at}`));
    expect(measureAnswer([...many], many)).toEqual({ recall: 1, mrr: 1, ndcg: 1 });
    const late = [...Array.from({ length: 10 }, (_, at) => `x${at}`), 'r0'];
    expect(measureAnswer(late, many).mrr).toBe(0);
    expect(round(measureAnswer(['a', 'a', 'a'], new Set(['a', 'b', 'c'])).recall)).toBe(0.333);
  });
});

describe('the verdict on a run', () => {
  const rows = (ours: number, porter: number, misspelt: number) =>
    [
      ['ours', ours],
      ['FTS5 bm25, porter', porter],
      ['ours, a third misspelt', misspelt],
    ].map(([engine, figure]) => ({
      engine: engine as string,
      quality: { recall: figure as number, mrr: figure as number, ndcg: figure as number },
      milliseconds: 1,
      kinds: new Map(),
      answers: [],
    }));
  const met = (...figures: [number, number, number]) =>
    judge({
      collection: 'c',
      documents: 1,
      questions: 1,
      kinds: new Map(),
      rows: rows(...figures),
    }).map(({ isMet }) => isMet);

  it('requires the baseline in every column, and nine tenths of our own figure for misspelled queries', () => {
    expect(met(0.5, 0.5, 0.45)).toEqual([true, true, true, true]);
    expect(met(0.499, 0.5, 0.45)).toEqual([false, false, false, true]);
    expect(met(0.6, 0.5, 0.53)).toEqual([true, true, true, false]);
  });
});

describe('a query with a third of its words misspelled', () => {
  it('is deterministic, changes a third of the words and nothing between them', () => {
    const question = 'the crystalline lens in vertebrates, including humans';
    const misspelt = misspellQuestion(question);
    expect(misspellQuestion(question)).toBe(misspelt);
    const [before, after] = [question.split(/\W+/), misspelt.split(/\W+/)];
    expect(after).toHaveLength(before.length);
    expect(after.filter((word, at) => word !== before[at])).toHaveLength(2);
  });

  it('leaves numbers, short words, quoted words and scripts without spaces unchanged', () => {
    for (const question of ['WD-31180', '花火大会はいつですか', 'is it on or off', '"left hand of darkness"'])
      expect(misspellQuestion(question)).toBe(question);
  });
});

describe('known items', () => {
  const documents: JudgedDocument[] = Array.from({ length: 100 }, (_, at) => ({
    id: `d${at}`,
    title: '',
    text: `common words here alpha${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 10)]} beta${at} gamma${at}`,
  }));

  it('have queries of distinctive words', () => {
    const items = drawKnownItems(documents, 20, 1);
    expect(new Set(items.map(({ id }) => id)).size).toBe(20);
    for (const { id, questions } of items) {
      const text = documents.find((one) => one.id === id)?.text.split(' ') ?? [];
      const [three = '', mixed = '', misspelt = ''] = Object.values(questions);
      expect(three.split(' ').every((word) => text.includes(word))).toBe(true);
      expect(mixed.split(' ').filter((word) => ['common', 'words', 'here'].includes(word))).toHaveLength(2);
      expect(misspelt.split(' ').filter((word) => !text.includes(word))).toHaveLength(1);
    }
    expect(drawKnownItems(documents, 20, 1)).toEqual(items);
  });

  it('are rejected if records are indistinguishable', () => {
    const alike = documents.map((one) => ({ ...one, text: 'the same words in all of them' }));
    expect(() => drawKnownItems(alike, 1, 1)).toThrow('only 0 records');
  });
});

/** As published with the collection: recall@10, MRR, nDCG@10. The larger ones are for `npm run bench:search`. */
const PUBLISHED: Record<string, Record<string, number[]>> = {
  med: {
    'FTS5 bm25, any word': [0.642, 0.903, 0.688],
    'FTS5 bm25, porter': [0.655, 0.908, 0.7],
    MiniSearch: [0.592, 0.837, 0.636],
  },
};

describe.each(findSharedCollections().filter((name) => name in PUBLISHED))('the baselines on %s', (name) => {
  const { documents, questions } = loadSharedCollection(name, NOW);
  const engines = [
    openFts5(documents, 'unicode61'),
    openFts5(documents, 'porter'),
    openMiniSearch(documents),
  ];

  it.each(engines)('$name gives the published figures', async (engine) => {
    const { quality } = await askAll(engine, questions as Question[]);
    await engine.close();
    expect([quality?.recall, quality?.mrr, quality?.ndcg].map(round)).toEqual(PUBLISHED[name]?.[engine.name]);
  });
});
