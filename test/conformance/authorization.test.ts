import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endGroup } from '../clients/support/desk.ts';
import { type LiveServer, PASSPHRASE, startLiveServer } from '../clients/support/live-server.ts';
import { decide } from '../support/processes/fake-browser.ts';
import { findFreePort, waitForText } from '../support/run-cli.ts';
import { getOutcome, type SuiteResult, startSuite } from './support/suite.ts';

const green = [
  ['authorization-server-metadata-endpoint', 'authorization-server-metadata'],
  ['authorization-server-metadata-endpoint', 'authorization-server-metadata-cimd'],
  ['authorization-code-grant', 'authorization-code-grant'],
] as const;

describe.each([
  ['that names the resource', true],
  ['that does not name the resource', false],
] as const)('our authorization server and a client %s', (_, namesResource) => {
  let server: LiveServer;
  let result: SuiteResult;

  beforeAll(async () => {
    server = await startLiveServer();
    result = await signInSuite(server, namesResource);
  });
  afterAll(async () => {
    await server?.stop();
  });

  it.each(green)('pass %s: %s', (scenario, check) => {
    expect(getOutcome(result, scenario).checks).toMatchObject({ [check]: 'SUCCESS' });
  });

  it('leave nothing red, and one approval', async () => {
    expect(result.code, result.printed).toBe(0);
    expect(await server.countGrants()).toBe(1);
    expect(server.readErrors()).toEqual([]);
  });
});

/** The suite is a public client whose user approves on the pages of the server. */
async function signInSuite(server: LiveServer, namesResource: boolean): Promise<SuiteResult> {
  const port = await findFreePort();
  const { child, result } = await startSuite([
    'authorization',
    ...['--url', server.origin],
    ...['--client-id', await register(server, `http://127.0.0.1:${port}/callback`)],
    ...['-p', String(port)],
    ...(namesResource ? ['--resource', server.url] : []),
  ]);
  try {
    const printed = await waitForText(child, /Callback server started/);
    const [url] = /^http\S+\/oauth\/authorize\?\S+/m.exec(printed) ?? [];
    if (url === undefined) throw new Error(`no page to open: ${printed}`);
    const answer = await fetch(await decide(url, PASSPHRASE, 'approve'));
    await answer.text();
  } catch (error) {
    // It would wait for its answer for minutes.
    endGroup(child);
    await result;
    throw error;
  }
  return result;
}

async function register(server: LiveServer, redirectUri: string): Promise<string> {
  const response = await fetch(`${server.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance suite', redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await response.json()) as { client_id?: string };
  if (client_id === undefined) throw new Error(`not registered: ${response.status}`);
  return client_id;
}
