import { describe, expect, it } from 'vitest';
import { addOccurrences, scoreNearness, scoreNewness, scoreTerm, weighTerm } from '../../src/search/score.ts';
import { BODY, TITLE } from '../../src/search/search-source.ts';

const match = (body: number, title = 0, places: number[] = []) => ({ body, title, places });
const DAY = 86_400_000;

describe('what each part of a score is worth', () => {
  it('a word weighs by how few of the visible records have it, and more when asked for again', () => {
    expect([1, 10, 100, 1_000].map((having) => weighTerm(1_000, having, 1))).toEqual([650, 456, 230, 0]);
    expect([1, 2, 3].map((times) => weighTerm(1_000, 10, times))).toEqual([456, 684, 820]);
  });

  it('the word itself once, in a text of the usual length, is worth its weight', () => {
    expect(scoreTerm(match(1), 100, 1)).toBeCloseTo(100);
  });

  it('more often counts less and less', () => {
    expect([1, 2, 4, 100].map((often) => Math.round(scoreTerm(match(often), 100, 1)))).toEqual([
      100, 144, 186, 256,
    ]);
  });

  it('a title counts twice, and a long text takes away from its words but not from its title', () => {
    expect(Math.round(scoreTerm(match(0, 2), 100, 1))).toBe(144);
    expect([0.1, 1, 10].map((relative) => Math.round(scoreTerm(match(1), 100, relative)))).toEqual([
      163, 100, 21,
    ]);
    expect(scoreTerm(match(0, 2), 100, 10)).toBe(scoreTerm(match(0, 2), 100, 0.1));
  });

  it('another form of the word counts less than the word', () => {
    const form = new Map();
    addOccurrences(form, { records: [1, 1, 2], parts: [BODY, TITLE, BODY], places: [4, 0, 9] }, 0.8);
    expect([...form]).toEqual([
      [1, { body: 0.8, title: 1.6, places: [4, 0] }],
      [2, { body: 0.8, title: 0, places: [9] }],
    ]);
  });

  it('neighbours add up to half of the lighter word, strangers nothing', () => {
    const near = (...places: number[]) => scoreNearness(match(1, 0, [10]), match(1, 0, places), 100);
    expect([near(11), near(12), near(13), near(10)].map(Math.round)).toEqual([25, 17, 0, 0]);
    expect(near(9, 11)).toBeGreaterThan(near(11));
  });

  it('where something recent is asked for, today is worth a quarter of all words and a season ago half of that', () => {
    expect([0, 90, 3_650].map((days) => scoreNewness(1e12 - days * DAY, 1e12).toFixed(3))).toEqual([
      '0.250',
      '0.125',
      '0.000',
    ]);
    expect(scoreNewness(undefined, 1e12)).toBe(0);
  });
});
