import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveServer, startLiveServer } from '../clients/support/live-server.ts';
import { runCli } from '../support/run-cli.ts';
import { serverChecks } from './server-checks.ts';
import { getOutcome, listOpen, revisions, runSuite, type SuiteResult } from './support/suite.ts';
import { startTokenProxy, type TokenProxy } from './support/token-proxy.ts';

describe.each(revisions)('our server at revision %s', (revision) => {
  const { green, excused, unclaimed, unrecorded } = serverChecks[revision];
  const excuses = Object.values(excused).flat().sort();
  let server: LiveServer;
  let proxy: TokenProxy;
  let result: SuiteResult;

  beforeAll(async () => {
    server = await startLiveServer();
    proxy = await startTokenProxy(server.origin, await createToken(server.data));
    result = await runServerSuite(`${proxy.origin}/mcp`, revision, excuses);
  });
  afterAll(async () => {
    proxy?.close();
    await server?.stop();
  });

  it.each(Object.keys(green))('passes %s', (scenario) => {
    const wanted = Object.fromEntries((green[scenario] ?? []).map((check) => [check, 'SUCCESS']));
    expect(getOutcome(result, scenario).checks).toMatchObject(wanted);
  });

  it('sends nothing that differs from the schema, in any scenario', () => {
    const verdicts = [...result.outcomes].map(([scenario, { checks }]) => [
      scenario,
      checks['wire-schema-valid'],
    ]);
    expect(
      verdicts
        .filter(([, verdict]) => verdict === undefined)
        .map(([scenario]) => scenario)
        .sort(),
    ).toEqual(unrecorded);
    expect(verdicts.filter(([, verdict]) => verdict !== undefined && verdict !== 'SUCCESS')).toEqual([]);
  });

  it('fails exactly the excused checks', () => {
    const notCounted = new Set(Object.values(unclaimed).flat());
    const open = [...result.outcomes]
      .filter(([scenario]) => !notCounted.has(scenario))
      .flatMap(([scenario, outcome]) => listOpen(outcome).map((check) => `${scenario}:${check}`));
    expect(open.sort()).toEqual(excuses);
    expect(result.code, result.printed).toBe(0);
  });

  it('does so without an error of its own', () => {
    expect(server.readErrors()).toEqual([]);
  });
});

async function createToken(data: string): Promise<string> {
  const words = ['grant', 'create', '--client', 'Conformance suite', '--allow', 'gmail_nora'];
  const { code, out, err } = await runCli([...words, '--data', data, '--json']);
  if (code !== 0) throw new Error(`no token: ${err}`);
  return (JSON.parse(out) as { token: string }).token;
}

/** The suite reads what is excused from a file, and gives its own verdict besides ours. */
async function runServerSuite(
  url: string,
  revision: string,
  excuses: readonly string[],
): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-conformance-'));
  const file = join(folder, 'excused.yml');
  writeFileSync(file, `server:\n${excuses.map((one) => `  - ${one}\n`).join('')}`);
  try {
    return await runSuite(['server', '--url', url, '--requirements', revision, '--expected-failures', file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
