import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Case, createCases } from './cases.ts';
import { load, mcpTarget, prepareTool, type Target } from './client.ts';
import { openFloor } from './floor.ts';
import { fillFolder } from './ingest.ts';
import { type Options, outDirectory, SEED } from './options.ts';
import { type Running, startReal } from './server.ts';
import { ensureStore, withGrant } from './store.ts';
import { table } from './table.ts';

const ROUNDS = 7;
/** CPU time is reported in ticks of 10 ms, so a round must take many ticks. */
const ROUND_MS = 400;
/** Warm-up time before the rounds, because the first calls include compilation. */
const WARM_MS = 1_000;
const CALLS = { first: 40, least: 6, most: 600 };

interface Side {
  readonly target: Target;
  readonly cases: readonly Case[];
}

interface Round {
  readonly cpu: number;
  readonly p50: number;
}

/**
 * Compares another built checkout with this one by sending the same calls to both servers in turn. The other checkout fills
 * the store; this one migrates a copy of it. A third server runs this tree on a store that it filled itself.
 */
export async function measureAgainst(other: string, options: Options): Promise<string> {
  const scratch = join(outDirectory, 'against');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const [before, after] = [join(scratch, 'before'), join(scratch, 'after')];
  cpSync(await ensureFilled(resolve(other), options.records), before, { recursive: true });
  const token = createGrantWith(resolve(other), before);
  cpSync(before, after, { recursive: true });
  await ensureStore(options);
  const running: Running[] = [];
  try {
    return await withGrant(options.directory, async (ownToken) => {
      const add = async (directory: string, known: string, cases: readonly Case[], root?: string) => {
        const server = await startReal(directory, root);
        running.push(server);
        return { target: mcpTarget(server.port, known, server.readCpu), cases };
      };
      // This tree chooses the calls, so it must open the copy first.
      const first = await startReal(after);
      await first.stop();
      const [same, own] = [readCases(after), readCases(options.directory)];
      return compare([
        await add(before, token, same, resolve(other)),
        await add(after, token, same),
        await add(options.directory, ownToken, own),
      ]);
    });
  } finally {
    await Promise.all(running.map((one) => one.stop()));
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function compare(sides: readonly Side[]): Promise<string> {
  const rows: string[][] = [
    ['CPU ms and p50 ms per call', 'before', 'now', 'times', 'now, own store', 'times'],
  ];
  const { cases } = sides[0] as Side;
  // Warms up all cases first. Otherwise the first case would include compilation.
  const counts: number[] = [];
  for (const at of cases.keys()) counts.push(await warmUp(sides, at));
  for (const [at, { title }] of cases.entries()) {
    const count = counts[at] as number;
    const rounds: Round[][] = sides.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      // Rotates the order, because each side benefits from the CPU caches of the previous one.
      for (let turn = 0; turn < sides.length; turn++) {
        const which = (round + turn) % sides.length;
        rounds[which]?.push(await runRound(sides[which] as Side, at, round * count, count));
      }
    }
    const [old, now, own] = rounds.map(takeMedians) as [Round, Round, Round];
    const show = ({ cpu, p50 }: Round) => `${cpu.toFixed(2)}, ${p50.toFixed(2)}`;
    const times = (one: Round) => (one.cpu / old.cpu).toFixed(2);
    rows.push([title, show(old), show(now), times(now), show(own), times(own)]);
    console.error(rows.at(-1)?.join('  '));
  }
  return table(rows);
}

/** Warms up a case and returns the number of calls per round. */
async function warmUp(sides: readonly Side[], at: number): Promise<number> {
  const counts: number[] = [];
  for (const side of sides) {
    const { cpu } = await runRound(side, at, 0, CALLS.first);
    counts.push(Math.ceil(ROUND_MS / Math.max(cpu, 0.1)));
    await runRound(side, at, CALLS.first, Math.ceil(WARM_MS / Math.max(cpu, 0.1)));
  }
  return Math.max(CALLS.least, Math.min(CALLS.most, ...counts));
}

async function runRound({ target, cases }: Side, at: number, from: number, count: number): Promise<Round> {
  const { tool } = cases[at] as Case;
  const calls = Array.from({ length: count }, (_, index) => prepareTool(tool(from + index)));
  const { milliseconds, cpuMilliseconds } = await load(target, calls, 1);
  return { cpu: cpuMilliseconds / count, p50: median(milliseconds) };
}

function takeMedians(rounds: readonly Round[]): Round {
  return { cpu: median(rounds.map(({ cpu }) => cpu)), p50: median(rounds.map(({ p50 }) => p50)) };
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] as number;
}

function readCases(directory: string): Case[] {
  const db = openFloor(directory);
  try {
    return createCases(db);
  } finally {
    db.close();
  }
}

/** Fills a store once per commit of the other tree. */
async function ensureFilled(other: string, records: number): Promise<string> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: other,
    encoding: 'utf8',
  }).trim();
  const directory = join(outDirectory, `store-${records}-${commit}`);
  if (!existsSync(directory)) {
    console.error(`filling ${records.toLocaleString('en')} records with the code of ${commit}, once`);
    rmSync(`${directory}.part`, { recursive: true, force: true });
    await fillFolder(`${directory}.part`, records, SEED, 'demo', other);
    cpSync(`${directory}.part`, directory, { recursive: true });
    rmSync(`${directory}.part`, { recursive: true });
  }
  return directory;
}

/** Creates a grant with the other tree's command, so its storage format does not matter. Both copies contain the token. */
function createGrantWith(other: string, directory: string): string {
  const db = openFloor(directory);
  const connections = db.prepare('select connection_id from connections').pluck().all() as string[];
  db.close();
  const allow = connections.flatMap((connection) => ['--allow', connection]);
  const args = ['grant', 'create', '--client', 'Benchmark', ...allow, '--data', directory, '--json'];
  const said = execFileSync(process.execPath, [join(other, 'dist/src/cli.js'), ...args], {
    encoding: 'utf8',
  });
  return (JSON.parse(said) as { token: string }).token;
}
