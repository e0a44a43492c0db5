import { Agent } from 'node:http';
import type { Case } from './cases.ts';
import { type Load, load, type Prepared, prepareFloor, prepareTool, send, type Target } from './client.ts';
import type { Floor } from './floor.ts';

export interface Figures {
  readonly calls: number;
  readonly dropped: number;
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
  /** CPU milliseconds of the server per call. */
  readonly cpu: number;
}

export interface CaseFigures {
  readonly id: string;
  readonly title: string;
  readonly direct?: Figures;
  readonly bare?: { readonly one: Figures; readonly eight: Figures };
  readonly real: { readonly one: Figures; readonly eight: Figures };
  /** p50 of the tool over p50 of the bare route, one connection. */
  readonly ratio?: number;
}

const ROUNDS = 4;
const TOGETHER = 8;

/** Alternates between the server and the bare route, so that other load affects both. */
export async function measureCase(one: Case, real: Target, bare: Target, floor: Floor): Promise<CaseFigures> {
  await checkAgreement(one, real, floor);
  const [alone, together] = one.calls;
  const direct: Load[] = [];
  const loads = { real: [[], []] as [Load[], Load[]], bare: [[], []] as [Load[], Load[]] };
  // Round 0 is a warm-up and is discarded.
  for (let round = 0; round <= ROUNDS; round++) {
    const first = round * (alone + together);
    const indexes = [range(first, alone), range(first + alone, together)] as const;
    for (const [at, connections] of [1, TOGETHER].entries()) {
      const part = round === 0 ? indexes[at as 0 | 1].slice(0, 40) : indexes[at as 0 | 1];
      const tools = part.map((index) => prepareTool(one.tool(index)));
      const answered = await load(real, tools, connections);
      if (round > 0) loads.real[at as 0 | 1].push(answered);
      if (one.floor === undefined) continue;
      const calls = part.map(one.floor);
      const bared = await load(bare, calls.map(prepareFloor), connections);
      if (round > 0) loads.bare[at as 0 | 1].push(bared);
      if (round > 0 && at === 0) direct.push(runDirect(floor, calls));
    }
  }
  const figures = { one: summarize(loads.real[0]), eight: summarize(loads.real[1]) };
  const base = { id: one.id, title: one.title, real: figures };
  if (one.floor === undefined) return base;
  const bareFigures = { one: summarize(loads.bare[0]), eight: summarize(loads.bare[1]) };
  return {
    ...base,
    direct: summarize(direct),
    bare: bareFigures,
    ratio: figures.one.p50 / bareFigures.one.p50,
  };
}

async function checkAgreement(one: Case, real: Target, floor: Floor): Promise<void> {
  const agent = new Agent();
  for (const index of range(0, Math.min(10, Math.ceil(one.calls[0] / 2)))) {
    const call = one.tool(index);
    const text = await send(real, agent, prepareTool(call) satisfies Prepared);
    const answer = JSON.parse(text).result.structuredContent;
    if (one.floor === undefined || one.agrees === undefined) continue;
    if (!one.agrees(answer, floor(one.floor(index))))
      throw new Error(`${one.id} answers something else than the SQL: ${JSON.stringify(call)}`);
  }
}

function runDirect(floor: Floor, calls: readonly Parameters<Floor>[0][]): Load {
  const started = performance.now();
  const milliseconds = calls.map((call) => {
    const before = performance.now();
    floor(call);
    return performance.now() - before;
  });
  return { milliseconds, wallMilliseconds: performance.now() - started, dropped: 0, cpuMilliseconds: 0 };
}

function summarize(loads: readonly Load[]): Figures {
  const times = loads.flatMap((one) => one.milliseconds).sort((a, b) => a - b);
  const wall = loads.reduce((sum, one) => sum + one.wallMilliseconds, 0);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] as number;
  const cpu = loads.reduce((sum, one) => sum + one.cpuMilliseconds, 0);
  const dropped = loads.reduce((sum, one) => sum + one.dropped, 0);
  return {
    calls: times.length,
    dropped,
    cpu: cpu / (times.length + dropped),
    p50: at(0.5),
    p95: at(0.95),
    perSecond: (times.length / wall) * 1_000,
  };
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
