import { batchLines } from '../../support/fill-store.ts';
import { callTool, ingest } from './requests.ts';
import type { Processes, Send } from './start-processes.ts';

const BATCH_LINES = 20;

/** Clients that ingest and read without a pause, and what they saw. */
export interface Load {
  /** Batches whose ingest was acknowledged. */
  readonly acknowledged: ReadonlySet<number>;
  /** The number of requests that were answered well. */
  answered(): number;
  /** Errors, with the number of attempts that the client had made. */
  readonly failures: readonly Failure[];
  /** The longest time between two good answers of one client. */
  longestGapMs(): number;
  stop(): Promise<void>;
}

export interface Failure {
  readonly attempt: number;
  readonly status: number;
  readonly text: string;
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/** Starts two clients that ingest and two that call tools. Each sends a failed request again until it succeeds. */
export function startLoad(
  { request, ownerToken }: Pick<Processes, 'request' | 'ownerToken'>,
  token: string,
  firstBatch: number,
): Load {
  const acknowledged = new Set<number>();
  const failures: Failure[] = [];
  let isStopped = false;
  let answered = 0;
  let longestGapMs = 0;
  let nextBatch = firstBatch;

  const repeat = async (send: () => Promise<() => Promise<void>>) => {
    let lastGood = performance.now();
    while (!isStopped) {
      const attempt = await send();
      for (let attempts = 1; ; attempts++) {
        try {
          await attempt();
          break;
        } catch (error) {
          const status = error instanceof Refused ? error.status : 0;
          failures.push({ attempt: attempts, status, text: String(error) });
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (isStopped) return;
        }
      }
      answered++;
      longestGapMs = Math.max(longestGapMs, performance.now() - lastGood);
      lastGood = performance.now();
    }
  };
  const write = async () => {
    const batch = nextBatch++;
    return async () => {
      const response = await ingest(request, ownerToken, batchLines(batch, BATCH_LINES));
      const text = await response.text();
      if (response.status !== 200) throw new Refused(response.status, text);
      acknowledged.add(batch);
    };
  };
  const read = async () => async () => {
    const { isError, content } = await callTool(request, token, 'aggregate', {
      stream: 'entries',
      metric: 'count',
    }).catch((error: Error) => {
      throw new Refused(Number.parseInt(error.message, 10) || 0, error.message);
    });
    if (isError) throw new Refused(200, content[0]?.text ?? '');
  };
  const clients = [repeat(write), repeat(write), repeat(read), repeat(read)];
  return {
    acknowledged,
    failures,
    answered: () => answered,
    longestGapMs: () => longestGapMs,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  };
}

/** Returns the acknowledged batches that are not stored completely. */
export async function findLost(
  request: Send,
  token: string,
  acknowledged: ReadonlySet<number>,
): Promise<number[]> {
  const lost: number[] = [];
  for (const batch of acknowledged) {
    const ends = [0, BATCH_LINES - 1].map((line) => `mine/entries/b${batch}-${line}`);
    for (const id of ends) if ((await callTool(request, token, 'fetch', { id })).isError) lost.push(batch);
  }
  return lost;
}
