import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../src/store/sqlite/open-store.ts';
import { createTestDatabase } from '../test/support/postgres/databases.ts';
import { DEMO_END } from './demo-end.ts';
import { fillGenerated } from './generator/fill-generated.ts';
import { SEED } from './options.ts';

/**
 * `npm run bench:move -- --records N --kill-after S`: moves a generated store to PostgreSQL and back. Each way is killed twice,
 * S seconds after its start, and then runs to its end, which compares every table.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    'kill-after': { type: 'string', default: '30' },
  },
});
const killAfterMs = Number(values['kill-after']) * 1_000;
const root = join(import.meta.dirname, '..');

interface Report {
  readonly began: string;
  readonly tables: readonly { readonly table: string; readonly source: number; readonly different: number }[];
}

function start(args: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'src/cli.ts', 'move', ...args, '--json'], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function waitForEnd(
  child: ChildProcess,
): Promise<{ signal: NodeJS.Signals | null; code: number | null; out: string }> {
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out })));
}

async function measureMove(name: string, args: readonly string[], environment: Record<string, string> = {}) {
  const started = performance.now();
  let kills = 0;
  for (const _ of [1, 2]) {
    const child = start(args, environment);
    const ended = waitForEnd(child);
    await Promise.race([sleep(killAfterMs), ended]);
    if (child.exitCode !== null)
      throw new Error('The move ended before it was killed: choose a lower --kill-after.');
    child.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') kills += 1;
  }
  const { code, out } = await waitForEnd(start(args, environment));
  if (code !== 0) throw new Error(`${name} failed`);
  const { began, tables } = JSON.parse(out) as Report;
  const rows = tables.reduce((sum, { source }) => sum + source, 0);
  const seconds = Math.round((performance.now() - started) / 1_000);
  const different = tables.reduce((sum, one) => sum + one.different, 0);
  console.log({ name, kills, began, tables: tables.length, rows, different, seconds });
}

const folder = mkdtempSync(join(tmpdir(), 'pdpp-bench-move-'));
try {
  const [first, last] = [join(folder, 'first'), join(folder, 'last')];
  const store = await openStore(first);
  const options = { records: Number(values.records), seed: SEED, until: DEMO_END };
  const { records } = await fillGenerated(store.write, options, DEMO_END);
  store.close();
  console.log({ records });
  const url = await createTestDatabase();
  await measureMove('SQLite to PostgreSQL', ['--data', first, '--to', url]);
  await measureMove('PostgreSQL to SQLite', ['--data', first, '--to', last], { DATABASE_URL: url });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
