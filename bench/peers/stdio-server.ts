import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Connection, Target } from '../load.ts';
import { isError } from '../requests.ts';
import { readCpu } from '../server.ts';

export interface Message {
  readonly method: string;
  readonly params: object;
}

/** A client of a stdio server starts a process of its own. More connections than this share processes. */
const MAX_PROCESSES = 8;

/** A server that speaks MCP over stdin and stdout, in several processes. */
export async function startStdio(script: string, args: readonly string[]) {
  const all = Array.from({ length: MAX_PROCESSES }, () => new StdioProcess([script, ...args]));
  const stop = () => Promise.all(all.map((one) => one.stop()));
  try {
    await Promise.all(all.map((one) => one.initialize()));
  } catch (error) {
    await stop();
    throw error;
  }
  let next = 0;
  const target: Target<Message> = {
    readCpu: () => all.reduce((sum, one) => sum + one.readCpu(), 0),
    connect(): Connection<Message> {
      const process = all[next++ % all.length] as StdioProcess;
      return { send: (message) => process.send(message), close: () => {} };
    },
  };
  return { target, stop };
}

class StdioProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, { resolve: (line: string) => void; reject: (error: Error) => void }>();
  #id = 0;
  #said = '';

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, args, { stdio: 'pipe' });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-2_000);
    });
    this.#child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`a peer ended:\n${this.#said}`));
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'bench', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await this.send({ method: 'initialize', params });
    this.#write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  send({ method, params }: Message): Promise<string> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#write({ jsonrpc: '2.0', id, method, params });
    });
  }

  readCpu(): number {
    return readCpu(this.#child.pid as number);
  }

  stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.kill('SIGTERM');
    });
  }

  #write(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #receive(line: string): void {
    // The id comes last in what these servers write, so it is found without parsing the answer.
    const id = Number(/"id":(\d+)\}$/.exec(line)?.[1] ?? (JSON.parse(line) as { id?: number }).id);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (isError(line)) waiting?.reject(new Error(line.slice(0, 300)));
    else waiting?.resolve(line);
  }
}
