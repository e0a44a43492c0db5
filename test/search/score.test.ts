import { describe, expect, it } from 'vitest';
import { scoreProximity, scoreRecency, scoreTerm, weighTerm } from '../../src/search/score.ts';
import { scoreByWords } from '../../src/search/score-by-words.ts';
import { findMatch, joinMatches, matchPostings, matchPresence } from '../../src/search/term-matches.ts';

const match = (body: number, title = 0, positions: number[] = []) => ({ body, title, positions });
/** Returns the score of a term of weight 100. */
const worth = (body: number, title = 0, relative = 1) => scoreTerm(title, body, 100, relative);
const DAY = 86_400_000;

describe('the parts of a score', () => {
  it('a rarer word weighs more, and so does a repeated one', () => {
    expect([1, 10, 100, 1_000].map((having) => weighTerm(1_000, having, 1))).toEqual([650, 456, 230, 0]);
    expect([1, 2, 3].map((times) => weighTerm(1_000, 10, times))).toEqual([456, 684, 820]);
  });

  it('one occurrence in a text of average length scores the weight of the word', () => {
    expect(worth(1)).toBeCloseTo(100);
  });

  it('further occurrences add less and less', () => {
    expect([1, 2, 4, 100].map((often) => Math.round(worth(often)))).toEqual([100, 144, 186, 256]);
  });

  it('a title counts twice, and the length of a text reduces the score of the body only', () => {
    expect(Math.round(worth(0, 2))).toBe(144);
    expect([0.1, 1, 10].map((relative) => Math.round(worth(1, 0, relative)))).toEqual([163, 100, 21]);
    expect(worth(0, 2, 10)).toBe(worth(0, 2, 0.1));
  });

  it('another form of a word counts less than the word', () => {
    const form = matchPostings(
      { records: [1, 2], title: [1, 0], people: [0, 0], body: [1, 1], ends: [2, 3], positions: [4, 0, 9] },
      0.8,
    );
    expect([1, 2, 3].map((record) => findMatch(form, record))).toEqual([
      { body: 0.8, title: 1.6, positions: [4, 0] },
      { body: 0.8, title: 0, positions: [9] },
      undefined,
    ]);
  });

  it('spellings of a word add up', () => {
    const begun = matchPostings(
      {
        records: [1, 2, 7],
        title: [0, 0, 1],
        people: [0, 0, 0],
        body: [1, 1, 1],
        ends: [1, 2, 4],
        positions: [3, 5, 6, 0],
      },
      0.5,
    );
    const word = matchPostings(
      { records: [1, 3], title: [0, 0], people: [0, 0], body: [1, 1], ends: [1, 2], positions: [8, 9] },
      1,
    );
    const joined = joinMatches(word, begun);
    expect(joined.records).toEqual([1, 2, 3, 7]);
    expect([1, 2, 3, 7].map((record) => findMatch(joined, record))).toEqual([
      { body: 1.5, title: 0, positions: [8, 3] },
      { body: 0.5, title: 0, positions: [5] },
      { body: 1, title: 0, positions: [9] },
      { body: 0.5, title: 1, positions: [6, 0] },
    ]);
  });

  it('query terms retrieve records, expansion terms only raise their scores', () => {
    const terms = [matchPresence([5, 3]), matchPresence([5, 9]), matchPresence([1, 3, 8, 9, 10])];
    const { records, scores } = scoreByWords(terms, [100, 10, 1], 2);
    expect(records).toEqual([3, 5, 9]);
    expect(scores.map(Math.round)).toEqual([101, 110, 11]);
  });

  it('adjacent words add up to half of the lower weight, distant words nothing', () => {
    const near = (...positions: number[]) => scoreProximity(match(1, 0, [10]), match(1, 0, positions), 100);
    expect([near(11), near(12), near(13), near(10)].map(Math.round)).toEqual([25, 17, 0, 0]);
    expect(near(9, 11)).toBeGreaterThan(near(11));
  });

  it('recency adds a quarter of the query weight today and half of that after 90 days', () => {
    expect([0, 90, 3_650].map((days) => scoreRecency(1e12 - days * DAY, 1e12).toFixed(3))).toEqual([
      '0.250',
      '0.125',
      '0.000',
    ]);
    expect(scoreRecency(undefined, 1e12)).toBe(0);
  });
});
