import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountService } from '../../src/accounts/account-service.ts';
import { createApp } from '../../src/app.ts';
import { createAudit } from '../../src/audit/audit.ts';
import { createGrant, createOwnerToken } from '../../src/grants/grant-store.ts';
import { type Allowance, resolveGrant, type Window } from '../../src/grants/resolve-grant.ts';
import { createServedImports } from '../../src/http/owner/served-imports.ts';
import type { ImportService } from '../../src/import/service/import-service.ts';
import { createUploadRunner } from '../../src/import/service/run-upload.ts';
import { type IngestReport, ingestLines } from '../../src/ingest/ingest-lines.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import type { FairQueue } from '../../src/limits/queue.ts';
import type { Log } from '../../src/log.ts';
import { type CallRule, NO_CALL_RULE } from '../../src/reads/admission.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection, setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import { loadImporters } from '../../src/sources/load-importers.ts';
import type { SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createReadPool } from '../../src/workers/read-pool.ts';
import { postModern } from './mcp-post.ts';
import { openTestStore } from './stores/engines.ts';

export const ORIGIN = 'http://127.0.0.1:7733';
const HOST = '127.0.0.1:7733';
export const NOW = new Date('2026-11-16T12:00:00Z');

export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  structuredContent: any;
}

export interface Line {
  key: string;
  data?: Record<string, unknown>;
  emitted_at?: string;
  op?: string;
}

/** A whole server on a store of its own, spoken to through its front door. */
export interface World {
  readonly accounts: AccountService | undefined;
  readonly imports: ImportService;
  readonly store: SqliteStore;
  readonly logged: string[];
  request(path: string, init?: RequestInit): Promise<Response>;
  addSource(declaration: unknown, connections: Record<string, string>): Promise<void>;
  ingest(connection: string, stream: string, lines: (Line | string)[]): Promise<IngestReport>;
  grant(allow: Allowance[], window?: Window, expiresAt?: Date): Promise<{ grantId: string; token: string }>;
  ownerToken(): Promise<string>;
  call(token: string, tool: string, args?: unknown): Promise<ToolResult>;
  rpc(token: string, method: string, params?: unknown): Promise<{ status: number; body: unknown }>;
  setNow(now: Date): void;
  close(): void;
}

export interface WorldOptions {
  timeZone?: string;
  /** The authorization server reads the real clock; a test of both together moves `Date` itself. */
  clock?: 'fixed' | 'real';
  accessTokenSeconds?: number;
  fetchDocument?: (url: string | URL) => Promise<Response>;
  /** How much an app may call; without it as much as it likes, because the clock of most tests stands still. */
  callRule?: CallRule;
  /** Threads that run the tools; by default PDPP_TEST_WORKERS, or none. */
  workers?: number;
  /** Orders the calls. A test that enters it can make calls wait. */
  queue?: FairQueue;
  /** A data folder that is there already. */
  directory?: string;
  /** Files in which damage was found. */
  damaged?: ReadonlySet<string>;
  /** How the program is called where it runs. */
  command?: string;
  accounts?: AccountService;
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  const store = await openTestStore(directory);
  await setTimeZone(store.write, options.timeZone ?? 'UTC');
  const logged: string[] = [];
  let now = NOW;
  const { accessTokenSeconds, accounts, fetchDocument, damaged, command, queue } = options;
  const log: Log = (event, details) => logged.push(JSON.stringify({ event, ...details }));
  const getNow = () => (options.clock === 'real' ? new Date() : now);
  const workers = options.workers ?? Number(process.env.PDPP_TEST_WORKERS ?? 0);
  const readPool =
    workers === 0
      ? undefined
      : createReadPool({
          size: workers,
          deadlineMs: 30_000,
          directory: store.directory,
          cursorKey: store.cursorKey,
          origin: ORIGIN,
        });
  const runner = createUploadRunner({ store, loadImporters, now: getNow });
  const imports = createServedImports(store, runner, log);
  const app = createApp({
    imports,
    ...(accessTokenSeconds === undefined ? {} : { accessTokenSeconds }),
    ...(fetchDocument === undefined ? {} : { fetchDocument }),
    ...(damaged === undefined ? {} : { damaged }),
    ...(accounts === undefined ? {} : { accounts }),
    ...(readPool === undefined ? {} : { readPool }),
    ...(queue === undefined ? {} : { queue }),
    ...(command === undefined ? {} : { invocation: { command, program: ['pdpp'] } }),
    store,
    publicUrl: ORIGIN,
    hosts: new Set([HOST]),
    audit: createAudit(store.audit),
    log,
    now: getNow,
    version: '0.0.0-test',
    callRule: options.callRule ?? NO_CALL_RULE,
  });
  const request = async (path: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { host: HOST, ...(init.headers as Record<string, string>) } });

  const rpc = async (token: string, method: string, params: unknown = {}) => {
    const { status, text } = await postModern({ request }, token, method, params as Record<string, unknown>);
    return { status, body: JSON.parse(text) as unknown };
  };

  return {
    store,
    accounts,
    imports,
    logged,
    request,
    rpc,
    async addSource(declaration, connections) {
      const checked = checkDeclaration(declaration);
      await installSource(store.write, checked, now);
      for (const [connection_id, display_name] of Object.entries(connections)) {
        await addConnection(
          store.write,
          { connection_id, connector_key: checked.connector_key, display_name },
          now,
        );
      }
    },
    async ingest(connection, name, lines) {
      const catalog = await loadCatalog(store.write);
      const stream = findStream(catalog, connection, name);
      if (stream === undefined) throw new Error(`no stream ${connection}/${name}`);
      const texts = lines.map((line) =>
        typeof line === 'string' ? line : JSON.stringify({ emitted_at: '2026-11-01T00:00:00Z', ...line }),
      );
      return ingestLines(store.write, stream, catalog.plainZone, texts);
    },
    async grant(allow, window, expiresAt) {
      const { streams } = resolveGrant(await loadCatalog(store.read), allow, window);
      const { grant, token } = await createGrant(
        store.write,
        { clientName: 'Test app', streams, expiresAt },
        now,
      );
      return { grantId: grant.grantId, token };
    },
    ownerToken: () => createOwnerToken(store.write, now),
    async call(token, tool, args = {}) {
      const { status, body } = await rpc(token, 'tools/call', { name: tool, arguments: args });
      const result = (body as { result?: ToolResult }).result;
      if (result === undefined) throw new Error(`tools/call answered ${status}: ${JSON.stringify(body)}`);
      return result;
    },
    setNow(value) {
      now = value;
    },
    close() {
      void readPool?.close();
      store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
