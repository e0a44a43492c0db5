import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { type Browser, createBrowser } from '../browser.ts';
import { PASSPHRASE } from '../oauth-client.ts';
import { createTestDatabase } from '../postgres/databases.ts';
import { endProcess } from '../processes/end-process.ts';
import { type CliResult, findFreePort, runCli, startCli, waitForText } from '../run-cli.ts';

/** One owner of a deployment, as apps and browsers see it. */
export interface ServedAt {
  readonly origin: string;
  readonly host: string;
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** A server process with its commands. */
export interface Deployment {
  readonly port: number;
  readonly databaseUrl: string | undefined;
  readonly server: ChildProcessWithoutNullStreams;
  readonly main: ServedAt;
  at(name: string): ServedAt;
  run(...words: readonly string[]): Promise<CliResult>;
  /** Adds an owner whose host is NAME.localhost, and returns the setup link. */
  add(name: string): Promise<string>;
  /** Sends bytes as they are, and returns the answer when the server closes the connection. */
  raw(text: string): Promise<string>;
  close(): Promise<void>;
}

export const engineNames = ['SQLite', 'PostgreSQL'] as const;

/** Starts `pdpp serve` on a new data folder, or on a new database. */
export async function startDeployment(
  engine: (typeof engineNames)[number],
  folder: string,
  environment: Record<string, string> = {},
): Promise<Deployment> {
  const port = await findFreePort();
  const databaseUrl = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
  const settings = {
    ...{ PDPP_DATA: folder, PDPP_PORT: String(port) },
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...environment,
  };
  const server = startCli(['serve'], settings);
  const run = (...words: readonly string[]) => runCli(words, { environment: settings });
  await waitForText(server, /claude mcp add/);
  return {
    ...{ port, databaseUrl, server, run },
    main: serveAt(port, '127.0.0.1'),
    at: (name) => serveAt(port, `${name}.localhost`),
    async add(name) {
      const { code, out, err } = await run('owner', 'add', name, '--host', `${name}.localhost`, '--json');
      if (code !== 0) throw new Error(err);
      return (JSON.parse(out) as { link: string }).link;
    },
    raw: (text) =>
      new Promise((resolve, reject) => {
        let received = '';
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        socket.on('data', (chunk) => {
          received += chunk.toString('latin1');
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(received));
      }),
    close: () => endProcess(server),
  };
}

/** Sets the passphrase of an owner with a setup link. Returns the browser, which is signed in. */
export async function setUp(server: ServedAt, link: string): Promise<Browser> {
  const browser = createBrowser(server.request, server.origin);
  const form = await browser.open(link);
  const page = await browser.submit(form, { passphrase: PASSPHRASE, again: PASSPHRASE });
  if (!page.url.startsWith(`${server.origin}/dashboard`)) throw new Error(`not set up: ${page.text}`);
  return browser;
}

function serveAt(port: number, name: string): ServedAt {
  const host = `${name}:${port}`;
  return { host, origin: `http://${host}`, request: (path, init) => send(port, host, path, init) };
}

/** Sends a request with any Host header, which `fetch` does not allow. */
function send(port: number, host: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { host, ...(init.headers as Record<string, string>) };
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { port, path, method: init.method ?? 'GET', headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const { statusCode: status = 0 } = answer;
          const body = [101, 204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
          resolve(new Response(body, { status, headers: toHeaders(answer.headers) }));
        });
      },
    );
    request.on('error', reject);
    const { body } = init;
    request.end(body instanceof ArrayBuffer ? Buffer.from(body) : (body ?? undefined));
  });
}

function toHeaders(headers: IncomingHttpHeaders): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) all.append(name, one);
  return all;
}
