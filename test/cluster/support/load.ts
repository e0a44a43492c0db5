import { setTimeout as sleep } from 'node:timers/promises';
import { batchLines } from '../../support/fill-store.ts';
import type { ToolResult } from '../../support/world.ts';
import type { Served } from './served.ts';

export const LOAD_BATCH_SIZE = 20;

/** Everything that servers acknowledged while they were under load, and how they answered. */
export interface LoadReport {
  /** Numbers of stored batches. */
  readonly batches: number[];
  /** Request ids of answered reads. Each has an entry in the audit log. */
  readonly reads: string[];
  /** How often each refusal came. */
  readonly refusals: Map<string, number>;
  /** What must never happen. */
  readonly wrong: string[];
  /** The longest time without an acknowledged write, and without an answered read. */
  readonly interruptions: { write: number; read: number };
}

export interface Load {
  readonly report: LoadReport;
  /** Begins to measure interruptions anew. */
  resetInterruptions(): void;
  /** Resolves after the next acknowledged write and answered read. */
  waitForSuccess(timeoutMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** What a client may be told while the database fails over. */
const EXPECTED = /^(busy|timeout|Error: The server answered 503\.)$/;

/** The owner stores records; an app reads them. */
export interface LoadTokens {
  readonly owner: string;
  readonly app: string;
}

/** Writes and reads through all servers at once until it is stopped. */
export function startLoad(servers: readonly Served[], { owner, app }: LoadTokens): Load {
  const report: LoadReport = {
    batches: [],
    reads: [],
    refusals: new Map(),
    wrong: [],
    interruptions: { write: 0, read: 0 },
  };
  const last = { write: performance.now(), read: performance.now() };
  const counts = { write: 0, read: 0 };
  let next = 0;
  let isOver = false;

  const succeed = (kind: 'write' | 'read') => {
    const now = performance.now();
    report.interruptions[kind] = Math.max(report.interruptions[kind], now - last[kind]);
    last[kind] = now;
    counts[kind] += 1;
  };
  const refuse = (what: string, code: string) => {
    const key = `${what}: ${code}`;
    report.refusals.set(key, (report.refusals.get(key) ?? 0) + 1);
    if (!EXPECTED.test(code)) report.wrong.push(key);
  };
  const read = async (server: Served, tool: string, args: object): Promise<ToolResult | undefined> => {
    const result = await server.call(app, tool, args);
    const code = result.structuredContent?.error?.code as string | undefined;
    if (code === 'busy' || code === 'timeout') {
      refuse(tool, code);
      return undefined;
    }
    return result;
  };
  const write = async (server: Served) => {
    next += 1;
    const batch = next;
    const response = await server.ingest(owner, batchLines(batch, LOAD_BATCH_SIZE));
    const body = (await response.json()) as { error?: { code: string } };
    if (response.status !== 200) return refuse('ingest', body.error?.code ?? String(response.status));
    report.batches.push(batch);
    succeed('write');
    // A primary that was replaced would not know the batch.
    const id = `mine/entries/b${batch}-0`;
    const found = await read(server, 'fetch', { id });
    if (found?.isError === true) report.wrong.push(`stored, but not found: ${id} ${found.content[0]?.text}`);
  };
  const list = async (server: Served) => {
    const listed = await read(server, 'query_records', { stream: 'entries', limit: 2 });
    if (listed === undefined) return;
    if (listed.isError === true) return void report.wrong.push(`query_records: ${listed.content[0]?.text}`);
    report.reads.push(listed.structuredContent.meta.request_id);
    succeed('read');
  };
  const repeat = async (what: string, work: () => Promise<void>) => {
    while (!isOver) {
      await work().catch((error: unknown) => refuse(what, String(error)));
      await sleep(20);
    }
  };
  const loops = servers.flatMap((server) => [
    repeat('ingest', () => write(server)),
    repeat('ingest', () => write(server)),
    repeat('query_records', () => list(server)),
  ]);
  return {
    report,
    resetInterruptions() {
      report.interruptions.write = 0;
      report.interruptions.read = 0;
    },
    async waitForSuccess(timeoutMs = 120_000) {
      const before = { ...counts };
      const until = Date.now() + timeoutMs;
      while (counts.write < before.write + 3 || counts.read < before.read + 3) {
        if (Date.now() > until) throw new Error(`The servers did not recover: ${describeReport(report)}`);
        await sleep(20);
      }
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

export function describeReport({ batches, reads, refusals, wrong }: LoadReport): string {
  const refused = [...refusals].map(([what, times]) => `${times} ${what}`).join(', ');
  return `${batches.length} batches and ${reads.length} reads acknowledged; refused: ${refused}; wrong: ${wrong.slice(0, 5).join(', ')}`;
}
