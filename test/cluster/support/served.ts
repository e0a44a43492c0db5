import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOwnerToken } from '../../../src/grants/grant-store.ts';
import { connectDatabase } from '../../../src/store/postgres/connect.ts';
import type { ConnectionSettings } from '../../../src/store/postgres/connections.ts';
import { openStore } from '../../../src/store/postgres/open-store.ts';
import { setUpDiary } from '../../support/fill-store.ts';
import { post } from '../../support/mcp-post.ts';
import { CHEAP_PASSPHRASE } from '../../support/oauth-client.ts';
import { testSettings } from '../../support/postgres/databases.ts';
import { endProcess } from '../../support/processes/end-process.ts';
import { findFreePort, startCli, waitForText } from '../../support/run-cli.ts';
import { ORIGIN, type ToolResult } from '../../support/world.ts';
import { removeFolder } from './run-program.ts';

/** A server process and the ways to talk to it. */
export interface Served {
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Calls a tool. Returns its result, or the status if the server refused. */
  call(token: string, tool: string, args?: object): Promise<ToolResult>;
  ingest(token: string, lines: readonly string[]): Promise<Response>;
  stop(): Promise<void>;
}

export const SECRET = randomBytes(32);

/** Creates the tables, a diary and a passphrase in a database. Returns a token of the owner. */
export async function prepareDatabase(
  settings: Pick<ConnectionSettings, 'url'> & Partial<ConnectionSettings>,
): Promise<string> {
  const connections = await connectDatabase({ ...testSettings, ...settings }, () => {});
  const store = await openStore(connections, { directory: '', secret: SECRET });
  await setUpDiary(store);
  await store.write.owner.savePassphrase(CHEAP_PASSPHRASE, new Date().toISOString());
  const token = await createOwnerToken(store.write, new Date());
  await connections.close();
  return token;
}

/** Starts `pdpp serve` on a database. */
export async function serveDatabase(environment: Record<string, string>): Promise<Served> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  const child = startCli(
    [
      'serve',
      '--data',
      folder,
      '--port',
      String(port),
      '--public-url',
      ORIGIN,
      '--calls-per-minute',
      '0',
      '--work-per-minute',
      '0',
    ],
    { PDPP_SERVER_SECRET: SECRET.toString('hex'), ...environment },
  );
  await waitForText(child, /claude mcp add/);
  const request: Served['request'] = (path, init) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
  return {
    request,
    async call(token, tool, args = {}) {
      const params = { name: tool, arguments: args };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { status, messages } = await post({ request }, token, body);
      if (status !== 200) throw new Error(`The server answered ${status}.`);
      return messages[0].result as ToolResult;
    },
    ingest: (token, lines) =>
      request('/v1/ingest/mine/entries', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        body: lines.join('\n'),
      }),
    async stop() {
      await endProcess(child);
      removeFolder(folder);
    },
  };
}

/** Calls the five tools. Returns the part of each answer that a test knows. */
export async function callTools({ call }: Served, token: string) {
  const [schema, listed, counted, found, fetched] = await Promise.all([
    call(token, 'schema'),
    call(token, 'query_records', { stream: 'entries', limit: 3 }),
    call(token, 'aggregate', { stream: 'entries', metric: 'count' }),
    call(token, 'search', { query: 'batch number' }),
    call(token, 'fetch', { id: 'mine/entries/b1-1' }),
  ]);
  return {
    streams: schema.structuredContent.data.connectors[0].connections[0].streams.length,
    listed: listed.structuredContent.data.length,
    counted: counted.structuredContent.data.total,
    found: found.structuredContent.results.length > 0,
    title: fetched.structuredContent.title,
  };
}
