import { createInterface } from 'node:readline';
import { type Desk, endGroup } from './desk.ts';

type Answer = { result?: unknown; error?: { message: string } };

/** Codex as an editor runs it: JSON-RPC over its standard input, no model needed to list and call tools. */
export async function withAppServer<T>(
  desk: Desk,
  options: readonly string[],
  work: (request: <R>(method: string, params?: unknown) => Promise<R>) => Promise<T>,
): Promise<T> {
  const child = desk.start('codex', [...options, 'app-server']);
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  if (child.stdout === null) throw new Error('no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line) as Answer & { id?: number };
    if (id !== undefined) waiting.get(id)?.(answer);
  });
  child.on('close', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'codex has ended' } });
  });
  const request = async <R>(method: string, params: unknown = {}): Promise<R> => {
    last += 1;
    const id = last;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
    waiting.delete(id);
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result as R;
  };
  try {
    await request('initialize', { clientInfo: { name: 'pdpp-tests', version: '1' } });
    send({ method: 'initialized' });
    return await work(request);
  } finally {
    endGroup(child);
  }
}
