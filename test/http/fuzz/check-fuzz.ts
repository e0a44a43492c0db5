import { createDraw } from '../../support/draw.ts';
import { NOW } from '../../support/world.ts';
import { drawHttpRequest } from './draw-http-request.ts';
import { createFuzzWorld, type FuzzWorld } from './fuzz-world.ts';
import type { HttpRequest } from './http-request.ts';
import { type Answer, judgeAnswer } from './judge-answer.ts';

export interface FuzzOutcome {
  readonly seed: number;
  readonly request: HttpRequest;
  readonly status: number;
  readonly ms: number;
  /** What is wrong with the answer. */
  readonly problem: string | undefined;
}

/** One server answers so many requests; then a fresh one takes over, so that no run depends on a long past. */
const PER_WORLD = 2_000;
/** The clock moves on between requests, so that limits on how many come in a minute do not end the game. */
const STEP_MS = 20_000;

/** Sends drawn requests, the one with seed 7 being the same in every run, and hands on what came of each. */
export async function runFuzz(
  { requests, seed }: { requests: number; seed: number },
  take: (outcome: FuzzOutcome) => void,
): Promise<void> {
  for (let from = seed; from < seed + requests; from += PER_WORLD) {
    const world = await createFuzzWorld();
    const before = dump(world);
    try {
      for (let at = from; at < Math.min(from + PER_WORLD, seed + requests); at++) {
        world.setNow(new Date(NOW.getTime() + (at - from) * STEP_MS));
        take(await sendOne(world, at));
      }
      const alive = await world.request('/healthz');
      if (alive.status !== 200) throw new Error('the server is no longer healthy');
      if (dump(world) !== before) throw new Error('records have changed that nobody may write');
      if ('polluted' in {}) throw new Error('every object has a property more than before');
    } finally {
      world.close();
    }
  }
}

/** Everything but what is sent in as records on purpose. */
function dump(world: FuzzWorld): string {
  const rows = world.store.write.raw
    .prepare(
      `select * from records join streams using (stream_id) where connection_id <> 'scratch' order by rid`,
    )
    .all();
  return JSON.stringify(rows);
}

async function sendOne(world: FuzzWorld, seed: number): Promise<FuzzOutcome> {
  const request = drawHttpRequest(createDraw(seed), world.doors);
  const logged = world.logged.length;
  const answer = await send(world, request);
  const failures = world.logged.slice(logged).filter((line) => line.includes('"event":"error"'));
  const isApp = world.doors.tokens.some((token) => request.headers.authorization === `Bearer ${token}`);
  const shows = isApp && answer.text.includes(world.secret) ? 'shows what is not granted' : undefined;
  const problem = shows ?? judgeAnswer(answer) ?? failures[0]?.slice(0, 600);
  return { seed, request, status: answer.status, ms: answer.ms, problem };
}

async function send(world: FuzzWorld, { method, path, headers, body }: HttpRequest): Promise<Answer> {
  const started = performance.now();
  const response = await world.request(path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text, ms: performance.now() - started };
}
