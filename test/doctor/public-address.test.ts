import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, runCli, startCli, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** A proxy that changes the Host header as given, or that forwards to nobody. */
async function startProxy(port: number | undefined, changeHost: (host: string) => string) {
  const server = createServer((incoming, outgoing) => {
    const fail = () => outgoing.writeHead(502).end();
    if (port === undefined) return fail();
    const headers = { ...incoming.headers, host: changeHost(incoming.headers.host ?? '') };
    request({ port, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    })
      .on('error', fail)
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What doctor says about a server that was started with these words. */
async function examine(port: number, ...words: string[]): Promise<string> {
  const data = makeFolder();
  const child = startCli(['serve', '--data', data, '--port', String(port), ...words]);
  onTestFinished(() => endProcess(child));
  await waitForText(child, /\nAdd .*\n/);
  // Loads the pages first: on a busy machine this takes longer than doctor waits.
  await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
  return (await runCli(['doctor', '--data', data])).out;
}

describe('doctor', () => {
  it('accepts a proxy that forwards the request as it is', async () => {
    const port = await findFreePort();
    const url = await startProxy(port, (host) => host);
    expect(await examine(port, '--public-url', url)).toMatch(/^ok +clients: can reach/m);
  });

  it('says that a proxy does not forward the Host header', async () => {
    const port = await findFreePort();
    const url = await startProxy(port, () => 'other.example');
    expect(await examine(port, '--public-url', url)).toMatch(
      /^BAD +clients: \S+ answers with status 403, because the proxy does not forward the Host header/m,
    );
  });

  it('says that a proxy forwards to another port, and names the right one', async () => {
    const port = await findFreePort();
    const url = await startProxy(undefined, (host) => host);
    const printed = await examine(port, '--public-url', url);
    expect(printed).toMatch(
      /^BAD +clients: \S+ answers with status 502, because the proxy does not reach the server/m,
    );
    expect(printed).toContain(`The server answers at http://127.0.0.1:${port}, so`);
  });

  it('says that the proxy of an https address is not trusted, and how old the newest backup is', async () => {
    const url = 'https://data.localhost:1';
    const [backups, first, second] = [makeFolder(), await findFreePort(), await findFreePort()];
    const without = await examine(first, '--public-url', url);
    expect(without).toMatch(/^BAD +proxy: all callers count as one.*--trusted-proxy 127\.0\.0\.1,::1/m);
    expect(without).toMatch(/^ok +backups: none scheduled/m);
    const printed = await examine(
      second,
      '--public-url',
      url,
      '--trusted-proxy',
      '127.0.0.1',
      '--backup-to',
      backups,
    );
    expect(printed).toMatch(/^ok +proxy: the server identifies callers behind 127\.0\.0\.1$/m);
    expect(printed).toContain(`in ${backups}`);
  });
});
