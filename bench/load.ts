/** A server under measurement. */
export interface Target<Request> {
  connect(): Promise<Connection<Request>> | Connection<Request>;
  /** CPU milliseconds of the server so far; unlike wall time, other processes hardly change them. */
  readonly readCpu: () => number;
  /** CPU milliseconds of the database, if it has processes of its own. */
  readonly readDatabaseCpu?: (() => number) | undefined;
}

export interface Connection<Request> {
  /** Makes one call and rejects unless it succeeds: an error must not be timed as an answer. */
  send(request: Request): Promise<string>;
  close(): void;
}

export interface Load {
  readonly milliseconds: readonly number[];
  readonly wallMilliseconds: number;
  readonly cpuMilliseconds: number;
  readonly databaseCpuMilliseconds?: number;
  /** Messages of failed calls. They have no time, so a report must mention them. */
  readonly errors: readonly string[];
}

export interface LoadOptions {
  readonly connections: number;
  /** A load ends after this many calls, or after this time. */
  readonly calls?: number;
  readonly seconds?: number;
  /** The first request; later ones follow in turn. */
  readonly first?: number;
}

/** Sends requests in turn over connections that are always busy. Connecting is not timed. */
export async function load<Request>(
  target: Target<Request>,
  requests: readonly Request[],
  {
    connections,
    calls = Number.POSITIVE_INFINITY,
    seconds = Number.POSITIVE_INFINITY,
    first = 0,
  }: LoadOptions,
): Promise<Load> {
  const open = await Promise.all(Array.from({ length: connections }, () => target.connect()));
  const milliseconds: number[] = [];
  const errors: string[] = [];
  let sent = 0;
  try {
    await Promise.all(open.map((one) => one.send(requests[0] as Request)));
    const readDatabaseCpu = target.readDatabaseCpu ?? (() => 0);
    const [cpuBefore, databaseCpuBefore] = [target.readCpu(), readDatabaseCpu()];
    const started = performance.now();
    const end = started + seconds * 1_000;
    const work = async (connection: Connection<Request>) => {
      while (sent < calls && performance.now() < end) {
        const request = requests[(first + sent++) % requests.length] as Request;
        const before = performance.now();
        try {
          await connection.send(request);
          milliseconds.push(performance.now() - before);
        } catch (error) {
          errors.push((error as Error).message);
        }
      }
    };
    await Promise.all(open.map(work));
    const wallMilliseconds = performance.now() - started;
    return {
      milliseconds,
      wallMilliseconds,
      errors,
      cpuMilliseconds: target.readCpu() - cpuBefore,
      databaseCpuMilliseconds: readDatabaseCpu() - databaseCpuBefore,
    };
  } finally {
    for (const one of open) one.close();
  }
}

export interface Figures {
  readonly calls: number;
  readonly errors: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
  /** The least time of a call. Unlike p50, it hardly depends on what else the machine does. */
  readonly least: number;
  /** CPU milliseconds of the server per call. */
  readonly cpu: number;
  /** CPU milliseconds of the database per call, if it has processes of its own. */
  readonly databaseCpu: number;
}

export function summarize(loads: readonly Load[]): Figures {
  const times = loads.flatMap((one) => one.milliseconds).sort((a, b) => a - b);
  const sum = (pick: (one: Load) => number) => loads.reduce((total, one) => total + pick(one), 0);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] as number;
  const errors = sum((one) => one.errors.length);
  return {
    calls: times.length,
    errors,
    least: times[0] as number,
    cpu: sum((one) => one.cpuMilliseconds) / (times.length + errors),
    databaseCpu: sum((one) => one.databaseCpuMilliseconds ?? 0) / (times.length + errors),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    perSecond: (times.length / sum((one) => one.wallMilliseconds)) * 1_000,
  };
}

export function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] as number;
}
