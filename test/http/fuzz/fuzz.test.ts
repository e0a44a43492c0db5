import { describe, expect, it } from 'vitest';
import { type FuzzOutcome, runFuzz } from './check-fuzz.ts';

describe('any request', () => {
  it('D-08 to any route is answered in our shape or the protocol’s, in time, and not as an internal error', async () => {
    const problems: FuzzOutcome[] = [];
    const routes = new Set<string>();
    await runFuzz({ requests: 3_000, seed: 20261116 }, (outcome) => {
      routes.add(outcome.request.route);
      if (outcome.problem !== undefined) problems.push(outcome);
    });
    expect(problems).toEqual([]);
    expect(routes.size).toBe(10);
  }, 300_000);
});
