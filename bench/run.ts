import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { measureAgainst } from './against.ts';
import { measureBeside } from './beside.ts';
import { createCases } from './cases.ts';
import { bareTarget, mcpTarget } from './client.ts';
import { createFloor, openFloor } from './floor.ts';
import { measureGate } from './gate.ts';
import { addUp, measureIngest, rateOf } from './ingest.ts';
import { type CaseFigures, measureCase } from './measure.ts';
import { outDirectory, readOptions } from './options.ts';
import { type Results, renderReport } from './report.ts';
import { measureColdStart, measureFirstCall, type Running, startBare, startReal } from './server.ts';
import { ensureStore, measureDisk, withGrant } from './store.ts';
import { judge } from './targets.ts';
import { pickWords } from './words.ts';

const COLD_STARTS = 5;

const options = readOptions(process.argv.slice(2));
const { directory } = options;
mkdirSync(outDirectory, { recursive: true });
execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit', cwd: join(import.meta.dirname, '..') });
if (options.against !== undefined) {
  console.log(await measureAgainst(options.against, options));
  process.exit();
}
const filled = await ensureStore(options);

const started = performance.now();
const loadBefore = loadavg()[0] as number;
say('ingest');
const ingest = await measureIngest(directory, options.records);
const { records, coldStart, firstTypo, cases, memory, gate, beside } = await withGrant(
  directory,
  async (token) => {
    say('cold start');
    const all: number[] = [];
    for (let at = 0; at < COLD_STARTS; at++) all.push(await measureColdStart(directory, token));
    say('first typo after a start');
    const typos = await measureFirstTypos(token);
    say('gate');
    const gate = await measureGate(directory, token);
    const calls = await measureCalls(token);
    say("others' fetch beside the heaviest client");
    const beside = await withGrant(directory, (heavy) => measureOthers({ light: token, heavy }));
    return { coldStart: withMedian(all), firstTypo: withMedian(typos), gate, beside, ...calls };
  },
);
const results: Results = {
  records,
  node: process.versions.node,
  processors: availableParallelism(),
  systemLoad: [loadBefore, loadavg()[0] as number],
  seconds: (performance.now() - started) / 1_000,
  cases,
  ingest,
  filling: filled && {
    first: rateOf(addUp(filled.chunks.slice(0, 5))),
    last: rateOf(addUp(filled.chunks.slice(-1))),
    all: rateOf(filled),
  },
  coldStart,
  firstTypo,
  gate,
  beside,
  memory,
  disk: measureDisk(directory),
};
const verdicts = judge(results);
writeFileSync(join(outDirectory, 'latest.json'), JSON.stringify({ ...results, verdicts }, null, 2));
console.log(renderReport(results, verdicts));
if (options.strict && verdicts.some((one) => !one.isMet)) process.exitCode = 1;

async function measureFirstTypos(token: string): Promise<number[]> {
  const db = openFloor(directory);
  const words = pickWords(db).misspelt.slice(0, COLD_STARTS);
  db.close();
  const all: number[] = [];
  for (const { typed } of words)
    all.push(await measureFirstCall(directory, token, { name: 'search', arguments: { query: typed } }));
  return all;
}

function withMedian(all: readonly number[]) {
  return { median: all.toSorted((a, b) => a - b)[all.length >> 1] as number, all };
}

async function measureCalls(token: string) {
  const db = openFloor(directory);
  const floor = createFloor(db);
  const running: Running[] = [];
  try {
    const real = await startReal(directory);
    running.push(real);
    const bare = await startBare(directory);
    running.push(bare);
    const measured: CaseFigures[] = [];
    for (const one of createCases(db)) {
      say(one.title);
      measured.push(
        await measureCase(
          one,
          mcpTarget(real.port, token, real.readCpu),
          bareTarget(bare.port, bare.readCpu),
          floor,
        ),
      );
    }
    const records = db.prepare('select sum(n) from days').pluck().get() as number;
    return { records, cases: measured, memory: real.readMemory() };
  } finally {
    await Promise.all(running.map((one) => one.stop()));
    db.close();
  }
}

async function measureOthers(tokens: { light: string; heavy: string }) {
  const db = openFloor(directory);
  try {
    return await measureBeside(directory, db, tokens);
  } finally {
    db.close();
  }
}

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${what}`);
}
