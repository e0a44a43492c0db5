import { setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import { DEMO_END } from '../demo-end.ts';
import { fillGenerated } from '../generator/fill-generated.ts';
import { demoQuestions } from './demo-questions.ts';
import { openServer } from './engines/ours.ts';
import type { Verdict } from './judge.ts';

const RECORDS = 20_000;
/** A search with two other wordings may cost this many times a search with none, at the 95th percentile. */
const MAX_RATIO = 2.5;

/** What a search costs in CPU milliseconds at the 95th percentile, with none, two and three other wordings. */
export interface WordingsCost {
  readonly alone: number;
  readonly withTwo: number;
  readonly withThree: number;
}

const MAX_WORDINGS = 4;

/**
 * Asks questions of the demo, the wordings being other questions of it. No question is used twice and each number of
 * wordings has a store of its own, so that no word is in a cache.
 */
export async function measureWordingsCost(now: Date): Promise<WordingsCost> {
  const texts = demoQuestions.map(({ text }) => text);
  const groups = Array.from({ length: Math.floor(texts.length / MAX_WORDINGS) }, (_, at) =>
    texts.slice(at * MAX_WORDINGS, (at + 1) * MAX_WORDINGS),
  );
  const measure = async (others: number) => {
    const server = await openServer(
      {
        async fill(store) {
          await setTimeZone(store, 'Europe/Berlin');
          await fillGenerated(store, { records: RECORDS, seed: 1, until: DEMO_END }, now);
        },
      },
      now,
    );
    const costs: number[] = [];
    for (const [text, ...more] of groups as [string, ...string[]][]) {
      const before = process.cpuUsage();
      await server.find(text, more.slice(0, others));
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / 1_000);
    }
    await server.close();
    return costs.toSorted((a, b) => a - b)[Math.floor(costs.length * 0.95)] as number;
  };
  // The first questions of a process pay for compiling.
  await measure(0);
  return { alone: await measure(0), withTwo: await measure(2), withThree: await measure(3) };
}

export function judgeWordingsCost({ alone, withTwo, withThree }: WordingsCost): Verdict {
  const shown = [alone, withTwo, withThree].map((cost) => cost.toFixed(1)).join(', ');
  return {
    isMet: withTwo / alone <= MAX_RATIO,
    target: `three wordings cost at most ${MAX_RATIO} times one (CPU, p95)`,
    measured: `${(withTwo / alone).toFixed(2)} (one, three and four wordings: ${shown} ms)`,
  };
}
