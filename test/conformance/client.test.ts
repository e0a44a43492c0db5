import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBuild } from '../support/processes/build.ts';
import { makeFakeBrowser } from '../support/processes/fake-browser.ts';
import { addedScenarios, authScenarios, unclaimed } from './client-checks.ts';
import { getOutcome, listOpen, runSuite, type SuiteResult } from './support/suite.ts';

const NOT_CLAIMED = Object.values(unclaimed).flat();

describe.each([
  ['auth', '2025-11-25', authScenarios['2025-11-25']],
  ['auth', '2026-07-28', authScenarios['2026-07-28']],
  ['draft', '2026-07-28', addedScenarios],
] as const)('pdpp connect in suite %s at revision %s', (suite, revision, scenarios) => {
  let folder: string;
  let result: SuiteResult;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pdpp-conformance-'));
    result = await runClientSuite(suite, revision, Object.keys(scenarios), folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.keys(scenarios))('passes %s', (scenario) => {
    const { green = [], says = '', never = [] } = scenarios[scenario] ?? {};
    const outcome = getOutcome(result, scenario);
    expect(outcome.checks).toMatchObject(Object.fromEntries(green.map((check) => [check, 'SUCCESS'])));
    expect(listOpen(outcome)).toEqual([]);
    expect(never.filter((check) => check in outcome.checks)).toEqual([]);
    // A program that falls over refuses everything, too.
    expect(`${outcome.out}\n${outcome.err}`).toMatch(says);
  });

  it('lists every scenario, as claimed or as excluded with a reason', () => {
    const met = [...result.outcomes.keys()].filter((scenario) => !NOT_CLAIMED.includes(scenario));
    expect(met.sort()).toEqual(Object.keys(scenarios).sort());
  });
});

/** The suite starts all scenarios at once, so each may take long; its browser follows where the server leads. */
function runClientSuite(
  suite: string,
  revision: string,
  scenarios: readonly string[],
  folder: string,
): Promise<SuiteResult> {
  const browser = join(folder, 'fake-browser');
  makeFakeBrowser(browser);
  const options = ['--suite', suite, '--spec-version', revision, '--timeout', '120000'];
  return runSuite(
    ['client', '--command', 'node client-command.mjs', ...options],
    { BROWSER: browser, PDPP_CLI: join(findBuild(), 'src', 'cli.js') },
    // Not by its exit code: the suite `draft` also runs what is not claimed.
    ({ outcomes }) =>
      scenarios.every((scenario) => {
        const outcome = outcomes.get(scenario);
        return outcome !== undefined && listOpen(outcome).length === 0;
      }),
  );
}
