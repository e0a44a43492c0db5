import { Hono } from 'hono';
import { createCallerFinder } from '../src/http/guard.ts';
import { openStore } from '../src/store/sqlite/open-store.ts';

const ROUNDS = 4_000;

export interface GateFigures {
  /** Milliseconds that the bearer gate adds to a request, median over median of the same route without it. */
  readonly added: number;
}

/** Measures two empty routes in this process, one behind the bearer check. */
export async function measureGate(directory: string, token: string): Promise<GateFigures> {
  const store = await openStore(directory);
  try {
    const getCaller = createCallerFinder({
      store,
      publicUrl: 'http://127.0.0.1',
      findSource: () => ({ key: 'bench' }),
      writeEvent: async () => {},
      now: () => new Date(),
    });
    const app = new Hono();
    app.get('/open', (c) => c.text('ok'));
    app.get('/gated', async (c) => {
      const caller = await getCaller(c);
      return c.text(caller.kind);
    });
    const headers = { authorization: `Bearer ${token}` };
    const times: Record<string, number[]> = { '/open': [], '/gated': [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [path, list] of Object.entries(times)) {
        const began = performance.now();
        const response = await app.request(path, { headers });
        list.push(performance.now() - began);
        if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      }
    }
    const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] as number;
    return { added: median(times['/gated'] ?? []) - median(times['/open'] ?? []) };
  } finally {
    store.close();
  }
}
