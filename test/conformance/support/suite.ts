import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endGroup } from '../../clients/support/desk.ts';
import { install } from '../../clients/support/install.ts';
import { waitForEnd } from '../../support/run-cli.ts';

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** From the best to the worst: a check that is made several times is as good as its worst time. */
const statuses = ['INFO', 'SUCCESS', 'SKIPPED', 'WARNING', 'FAILURE'] as const;
export type Status = (typeof statuses)[number];

/** What the suite has written about one scenario. */
export interface Outcome {
  readonly checks: Readonly<Record<string, Status>>;
  /** What the client has printed, where a client was tried. */
  readonly out: string;
  readonly err: string;
}

export interface SuiteResult {
  /** 0 where everything that counts has passed or was excused. */
  readonly code: number | null;
  /** What the suite has printed: for the message of a failed test. */
  readonly printed: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

export interface RunningSuite {
  readonly child: ChildProcessWithoutNullStreams;
  readonly result: Promise<SuiteResult>;
}

const SUPPORT = fileURLToPath(new URL('.', import.meta.url));
const TIMEOUT_MS = 240_000;

/** Starts one mode of the suite. It lives in a folder of its own, which is gone when it has ended. */
export async function startSuite(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<RunningSuite> {
  const { packageFolder } = await install('conformance');
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-conformance-'));
  const home = join(folder, 'home');
  const written = join(folder, 'out');
  for (const path of [home, written]) mkdirSync(path);
  const program = [
    '--import',
    new URL('./node20-shim.mjs', import.meta.url).href,
    join(packageFolder, 'dist', 'index.js'),
  ];
  const child = spawn(process.execPath, [...program, ...args, '-o', written], {
    cwd: SUPPORT,
    env: { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1', ...environment },
    detached: true,
  });
  const timer = setTimeout(() => endGroup(child), TIMEOUT_MS);
  const finish = async (): Promise<SuiteResult> => {
    const { code, out, err } = await waitForEnd(child);
    clearTimeout(timer);
    const outcomes = readOutcomes(written);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    return { code, printed: `${out}\n${err}`, outcomes };
  };
  return { child, result: finish() };
}

/** Runs one mode to its end; once more if that was not clean, since some scenarios wait for a second only. */
export async function runSuite(
  args: readonly string[],
  environment: Record<string, string> = {},
  isClean = (result: SuiteResult): boolean => result.code === 0,
): Promise<SuiteResult> {
  const first = await (await startSuite(args, environment)).result;
  return isClean(first) ? first : (await startSuite(args, environment)).result;
}

/** The outcome of a scenario, which must have been run. */
export function getOutcome({ outcomes, printed }: SuiteResult, scenario: string): Outcome {
  const outcome = outcomes.get(scenario);
  if (outcome === undefined) throw new Error(`${scenario} was not run: ${printed}`);
  return outcome;
}

/** Checks of a scenario that are neither green nor mere information. */
export function listOpen({ checks }: Outcome): string[] {
  return Object.keys(checks).filter((id) => checks[id] !== 'SUCCESS' && checks[id] !== 'INFO');
}

/** One folder for each scenario, named after the mode, the scenario and the time. */
function readOutcomes(written: string): Map<string, Outcome> {
  const files = readdirSync(written, { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => basename(file) === 'checks.json')
      .map((file) => {
        const scenario = dirname(file)
          .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
          .replace(/^(authorization-server|server)-/, '');
        const read = (name: string) => {
          const path = join(written, dirname(file), name);
          return existsSync(path) ? readFileSync(path, 'utf8') : '';
        };
        const outcome = {
          checks: readChecks(read('checks.json')),
          out: read('stdout.txt'),
          err: read('stderr.txt'),
        };
        return [scenario, outcome];
      }),
  );
}

function readChecks(json: string): Record<string, Status> {
  const checks: Record<string, Status> = {};
  for (const { id, status } of JSON.parse(json) as { id: string; status: Status }[]) {
    const before = checks[id] ?? 'INFO';
    checks[id] = statuses.indexOf(status) > statuses.indexOf(before) ? status : before;
  }
  return checks;
}
