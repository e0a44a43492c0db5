import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder, useFolder } from '../support/temp-folder.ts';

const data = useFolder();
let port: number;
let origin: string;
let server: ReturnType<typeof startCli>;
let ended: ReturnType<typeof waitForEnd>;
let printed: string;
let token: string;
let grantId: string;

beforeAll(async () => {
  const store = await openStore(data);
  await ingestBatch(store, 1);
  store.close();
  port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  server = startCli(['serve', '--port', String(port)], { PDPP_DATA: data });
  ended = waitForEnd(server);
  const ready = waitForText(server, /claude mcp add/);
  const grant = runCli(['grant', 'create', '--client', 'App', '--allow', 'mine', '--data', data, '--json']);
  printed = await ready;
  ({ token, grant_id: grantId } = JSON.parse((await grant).out));
});
afterAll(() => server.kill('SIGKILL'));

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

function listTools(bearer: string): Promise<Response> {
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: list,
  });
}

/** Sends bytes as they are; returns what came back once its head is whole, or once the server has closed. */
function sendRaw(text: string, until: 'head' | 'close' = 'head'): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    let closed = false;
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (until === 'head' && received.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('end', () => {
      closed = true;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ text: received, closed }));
  });
}

const rawRequest = (lines: string[], body = '') =>
  `${[`POST /mcp HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...lines].join('\r\n')}\r\n\r\n${body}`;
const jsonLines = [
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  `Content-Length: ${list.length}`,
  'Connection: close',
];

describe('pdpp serve', () => {
  it('prints its address and the command that adds it to an app', () => {
    expect(printed).toMatch(new RegExp(`Open   ${origin}/setup/pdpp_[\\w-]{43} `));
    expect(printed).toContain(`claude mcp add --transport http pdpp ${origin}/mcp`);
    expect(printed).toContain('50 records');
    expect(printed).not.toContain('\u001b');
  });

  it('answers only at its own host names', async () => {
    expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
    expect((await listTools(token)).status).toBe(200);
    const foreign = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect(foreign.text).toMatch(/^HTTP\/1\.1 403/);
    const twice = await sendRaw(
      rawRequest(['Host: evil.example', `Authorization: Bearer ${token}`, ...jsonLines], list),
    );
    expect(twice.text).not.toMatch(/^HTTP\/1\.1 200/);
  });

  it('B-09 takes one Authorization header, not two', async () => {
    const one = await sendRaw(rawRequest([`Authorization: Bearer ${token}`, ...jsonLines], list));
    expect(one.text).toMatch(/^HTTP\/1\.1 200/);
    const two = await sendRaw(
      rawRequest([`Authorization: Bearer ${token}`, 'Authorization: Bearer other', ...jsonLines], list),
    );
    expect(two.text).toMatch(/^HTTP\/1\.1 401/);
  });

  it('T-04 answers a caller without a token before the body comes, and closes the connection', async () => {
    const stalled = await sendRaw(
      rawRequest(['Content-Type: application/json', 'Content-Length: 100000000']),
      'close',
    );
    expect(stalled.text).toMatch(/^HTTP\/1\.1 401/);
    expect(stalled.closed).toBe(true);
  });

  it('T-05 refuses a large body in chunks, and serves the next call', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const head = rawRequest([
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]);
    const { text } = await sendRaw(`${head}${chunk.repeat(20)}0\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 413/);
    expect((await listTools(token)).status).toBe(200);
  });

  it('survives requests that are not HTTP', async () => {
    for (const bytes of ['\0\0\0\r\n\r\n', 'GET\r\n\r\n', `GET / HTTP/1.1\r\nHost: a\r\nHost\r\n\r\n`])
      await sendRaw(bytes, 'close').catch(() => {});
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });

  it('reports a port in use, and the first server keeps running', async () => {
    const other = makeFolder();
    const second = await runCli(['serve', '--port', String(port), '--data', other]);
    expect(second.code).toBe(2);
    expect(second.err).toMatch(/Port \d+ is in use/);
    expect(second.err).not.toMatch(/EADDRINUSE|at .+:\d+:\d+/);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });

  it('B-03 refuses a token within a second of its grant being revoked elsewhere', async () => {
    expect((await listTools(token)).status).toBe(200);
    const revoked = await runCli(['grant', 'revoke', grantId, '--data', data]);
    expect(revoked.code).toBe(0);
    // The command has ended, so the second is over: the very next call must be refused.
    const refused = await listTools(token);
    expect(refused.status).toBe(401);
    const rest = await fetch(`${origin}/v1/schema`, { headers: { authorization: `Bearer ${token}` } });
    expect(rest.status).toBe(403);
  });

  it('I-09 D-07 ends cleanly on SIGTERM, with every log line one JSON object', async () => {
    server.kill('SIGTERM');
    const { code, err } = await ended;
    expect(code).toBe(0);
    for (const line of err.split('\n').filter(Boolean)) expect(() => JSON.parse(line)).not.toThrow();
    expect(err).not.toContain(token);
    expect(readdirSync(data).sort()).toEqual([
      'audit.sqlite',
      'folder.lock',
      'reserve',
      expect.stringMatching(/^run\.[0-9a-f]{16}$/),
      'server-secret',
      'store.sqlite',
    ]);
  });
});
