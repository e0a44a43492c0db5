import { describe, expect, it } from 'vitest';
import { runKillRounds, writeKillTable } from './kill-rounds.ts';

/** By hand there are more: npm run reliability -- --rounds 200. */
const ROUNDS = 20;

describe('kill -9', () => {
  it(`D-01 D-02 D-07 in ${ROUNDS} rounds of serving, ingest, checkpoint, backup, restore and upgrade: 0 lost, 0 refused starts`, async () => {
    const figures = await runKillRounds(ROUNDS);
    expect(figures.problems, writeKillTable(figures)).toEqual([]);
    const phases = Object.values(figures.phases);
    expect(phases.reduce((sum, { rounds }) => sum + rounds, 0)).toBe(ROUNDS);
    // Rounds in which nothing was done would prove nothing.
    for (const { acknowledged, rounds } of phases) expect(acknowledged).toBeGreaterThanOrEqual(rounds);
  }, 600_000);
});
