import { describe, expect, it } from 'vitest';
import { measureMeaning } from '../../bench/search/meaning.ts';

const NOW = new Date('2026-11-16T12:00:00Z');

describe('forty queries that share no word with their relevant records', () => {
  it('find them among the first ten hits in at least 30 cases with other wordings, and rarely without', async () => {
    const { questions, foundAlone, foundWithAlso } = await measureMeaning('plain', NOW);
    expect(questions).toBe(40);
    expect(foundAlone).toBeLessThanOrEqual(4);
    expect(foundWithAlso).toBeGreaterThanOrEqual(30);
  }, 60_000);
});
