import { type Answer, type Case, isLight } from './cases.ts';
import type { Floor, FloorCall } from './floor.ts';
import type { HttpRequest } from './http-connection.ts';
import { type Figures, type Load, load, summarize, type Target } from './load.ts';
import type { Pace } from './options.ts';
import { type Call, type HttpTarget, readMessage } from './requests.ts';

/** Figures by number of connections. */
export type ByConnections = Readonly<Record<number, Figures>>;

export interface CaseFigures {
  readonly id: string;
  readonly title: string;
  readonly real: ByConnections;
  /** The same requests in the form of 2025, for cheap calls. */
  readonly legacy?: ByConnections;
  readonly bare?: ByConnections;
  /** The SQL in this process. */
  readonly direct?: Figures;
}

export interface Targets {
  readonly real: HttpTarget<Call>;
  readonly legacy: HttpTarget<Call>;
  readonly bare: HttpTarget<FloorCall>;
}

const CONNECTIONS = [1, 8];
const CROWD = 64;
const CHECKED = 10;
const WARM_UP_CALLS = 40;
/** Distinct requests per case; they repeat after that. */
const REQUESTS = 1_200;

interface Side {
  readonly name: 'real' | 'legacy' | 'bare';
  readonly target: Target<HttpRequest>;
  readonly requests: readonly HttpRequest[];
}

/**
 * Alternates between the server and the bare route, so that other load affects both. Both get the same number of calls:
 * the faster one must not run longer and be compiled better.
 */
export async function measureCase(
  one: Case,
  targets: Targets,
  floor: Floor,
  { rounds, repeat }: Pace,
): Promise<CaseFigures> {
  await checkAgreement(one, targets, floor);
  const sides = listSides(one, targets);
  const loads: Record<string, Record<number, Load[]>> = {};
  const direct: Load[] = [];
  for (const { target, requests } of sides)
    await load(target, requests, { connections: 1, calls: WARM_UP_CALLS });
  const [alone, together] = one.calls.map((calls) => calls * repeat) as [number, number];
  const allConnections = isLight(one) ? [...CONNECTIONS, CROWD] : CONNECTIONS;
  for (let round = 0; round < rounds; round++) {
    for (const connections of allConnections)
      for (const { name, target, requests } of round % 2 === 0 ? sides : sides.toReversed()) {
        const calls = connections === 1 ? alone : together;
        const measured = await load(target, requests, { connections, calls, first: round * 100 });
        loads[name] ??= {};
        loads[name][connections] = [...(loads[name][connections] ?? []), measured];
      }
    if (one.floor !== undefined) direct.push(runDirect(floor, one.floor, alone));
  }
  const { real = {}, legacy, bare } = loads;
  return {
    id: one.id,
    title: one.title,
    real: summarizeAll(real),
    ...(legacy && { legacy: summarizeAll(legacy) }),
    ...(bare && { bare: summarizeAll(bare) }),
    ...(direct.length > 0 && { direct: summarize(direct) }),
  };
}

/** Summarizes the loads of each number of connections. */
export function summarizeAll(loads: Readonly<Record<number, readonly Load[]>>): ByConnections {
  return Object.fromEntries(
    Object.entries(loads).map(([connections, list]) => [connections, summarize(list)]),
  );
}

function listSides(one: Case, { real, legacy, bare }: Targets): Side[] {
  const indexes = Array.from({ length: REQUESTS }, (_, index) => index);
  const write = (target: HttpTarget<Call>) => indexes.map((index) => target.write(one.call(index)));
  const sides: Side[] = [{ name: 'real', target: real, requests: write(real) }];
  if (isLight(one)) sides.push({ name: 'legacy', target: legacy, requests: write(legacy) });
  const { floor } = one;
  if (floor !== undefined)
    sides.push({ name: 'bare', target: bare, requests: indexes.map((index) => bare.write(floor(index))) });
  return sides;
}

/** Both protocol eras return what the SQL returns. */
async function checkAgreement(one: Case, { real, legacy }: Targets, floor: Floor): Promise<void> {
  if (one.floor === undefined || one.agrees === undefined) return;
  for (const target of [real, legacy]) {
    const connection = await target.connect();
    try {
      for (let index = 0; index < CHECKED; index++) {
        const call = one.call(index);
        const message = readMessage(await connection.send(target.write(call))) as Answer;
        if (!one.agrees(message.result.structuredContent, floor(one.floor(index))))
          throw new Error(`${one.id} answers something else than the SQL: ${JSON.stringify(call)}`);
      }
    } finally {
      connection.close();
    }
  }
}

function runDirect(floor: Floor, write: (index: number) => FloorCall, calls: number): Load {
  const milliseconds: number[] = [];
  const started = performance.now();
  for (let index = 0; index < calls; index++) {
    const call = write(index);
    const before = performance.now();
    floor(call);
    milliseconds.push(performance.now() - before);
  }
  return { milliseconds, wallMilliseconds: performance.now() - started, errors: [], cpuMilliseconds: 0 };
}
