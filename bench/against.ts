import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Case, createCases } from './cases.ts';
import { COMPARISON_HEAD, type Comparison, compare, renderComparison } from './compare.ts';
import { takeFingerprint } from './fingerprint.ts';
import { openFloor } from './floor.ts';
import { fillFolder } from './ingest.ts';
import { type Options, outDirectory, SEED } from './options.ts';
import { type Running, startReal } from './server.ts';
import { ensureStore } from './store.ts';
import { table } from './table.ts';

export interface AgainstFigures {
  readonly records: number;
  readonly cases: readonly Comparison[];
}

/**
 * Compares another built checkout with this one: the same calls go to both servers in turns. The other checkout fills the
 * store and this one migrates a copy of it, unless both fill it the same way.
 */
export async function measureAgainst(other: string, options: Options): Promise<AgainstFigures> {
  const tree = resolve(other);
  const scratch = join(outDirectory, 'against');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const [before, after] = [join(scratch, 'before'), join(scratch, 'after')];
  cpSync(await ensureFilled(tree, options), before, { recursive: true });
  const token = createGrantWith(tree, before);
  cpSync(before, after, { recursive: true });
  const running: Running[] = [];
  try {
    for (const server of [() => startReal(before, { tree }), () => startReal(after)])
      running.push(await server());
    const [old, now] = running as [Running, Running];
    // This tree chooses the calls, so it reads the copy that it has migrated.
    const cases = readCases(after).filter(({ id }) => options.only?.includes(id) ?? true);
    const figures = await compare({ server: old, token, cases }, { server: now, token, cases }, options);
    return { records: options.records, cases: figures };
  } finally {
    await Promise.all(running.map((one) => one.stop()));
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function renderAgainst(figures: AgainstFigures): string {
  return `${table(listAgainstRows(figures))}
CPU milliseconds per call and calls/s with 8 connections, p50 with one. Failed calls: before, now.`;
}

export function listAgainstRows({ cases }: AgainstFigures): string[][] {
  return [['', ...COMPARISON_HEAD], ...cases.map(renderComparison)];
}

export function readCases(directory: string): Case[] {
  const db = openFloor(directory);
  try {
    return createCases(db);
  } finally {
    db.close();
  }
}

/** Returns a store that the other tree can read: the cached one if both trees fill it the same way. */
async function ensureFilled(tree: string, options: Options): Promise<string> {
  const { records } = options;
  if ((await takeFingerprint(tree)) === (await takeFingerprint())) {
    await ensureStore(options);
    return options.directory;
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: tree,
    encoding: 'utf8',
  }).trim();
  const directory = join(outDirectory, `store-${records}-${commit}`);
  if (!existsSync(directory)) {
    console.error(`filling ${records.toLocaleString('en')} records with the code of ${commit}, once`);
    rmSync(`${directory}.part`, { recursive: true, force: true });
    await fillFolder(`${directory}.part`, records, SEED, 'demo', tree);
    renameSync(`${directory}.part`, directory);
  }
  return directory;
}

/** Creates a grant with the other tree's command, so its storage format does not matter. Both copies contain the token. */
function createGrantWith(tree: string, directory: string): string {
  const db = openFloor(directory);
  const connections = db.prepare('select connection_id from connections').pluck().all() as string[];
  db.close();
  const allow = connections.flatMap((connection) => ['--allow', connection]);
  const args = ['grant', 'create', '--client', 'Benchmark', ...allow, '--data', directory, '--json'];
  const said = execFileSync(process.execPath, [join(tree, 'dist/src/cli.js'), ...args], { encoding: 'utf8' });
  return (JSON.parse(said) as { token: string }).token;
}
