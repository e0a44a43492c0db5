import { HttpConnection } from './http-connection.ts';
import { mcpTarget, type ToolCall } from './requests.ts';
import { startReal } from './server.ts';

export interface DeadlineFigures {
  readonly deadlineMs: number;
  /** Milliseconds until each call was refused as `timeout`. */
  readonly refusedMs: readonly number[];
  /** Milliseconds of the first calls that need a worker after all workers were stopped. */
  readonly nextMs: readonly number[];
}

const DEADLINE_MS = 1_000;
/** Calls that read the most. Which of them take longer than the deadline depends on the build and the machine. */
const candidates: readonly ToolCall[] = [
  { stream: 'transactions', group_by: ['account.name', 'merchant'], metric: 'avg', field: 'amount' },
  {
    stream: 'transactions',
    group_by: ['account.name', 'merchant'],
    metric: 'count_distinct',
    field: 'amount',
  },
  { stream: 'messages', connection_id: 'gmail_personal', group_by: ['thread.subject', 'from_name'] },
].map((args) => ({ name: 'aggregate', arguments: args }));

/**
 * Measures when calls past their deadline are answered, with as many at once as there are workers, and whether the workers
 * are free afterwards. Returns undefined if no call takes that long with so few records.
 */
export async function measureDeadline(
  directory: string,
  tokens: readonly string[],
): Promise<DeadlineFigures | undefined> {
  const server = await startReal(directory, { options: ['--call-timeout', String(DEADLINE_MS / 1_000)] });
  const connections = tokens.map(() => new HttpConnection(server.port));
  const callAll = (call: ToolCall) =>
    Promise.all(
      tokens.map(async (token, at) => {
        const request = mcpTarget(server, token).write(call);
        const started = performance.now();
        const { body } = await (connections[at] as HttpConnection).send(request);
        return { body, milliseconds: performance.now() - started };
      }),
    );
  try {
    const refusedMs: number[] = [];
    const nextMs: number[] = [];
    for (const call of candidates) {
      const answers = await callAll(call);
      const refused = answers.filter(({ body }) => body.includes('"code":"timeout"'));
      if (refused.length === 0) continue;
      refusedMs.push(...refused.map(({ milliseconds }) => milliseconds));
      const next = await callAll({ name: 'schema', arguments: {} });
      nextMs.push(...next.map(({ milliseconds }) => milliseconds));
    }
    return refusedMs.length === 0 ? undefined : { deadlineMs: DEADLINE_MS, refusedMs, nextMs };
  } finally {
    for (const one of connections) one.close();
    await server.stop();
  }
}
