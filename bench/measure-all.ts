import { availableParallelism, loadavg } from 'node:os';
import type Database from 'better-sqlite3';
import { measureBeside } from './beside.ts';
import { createCases } from './cases.ts';
import { CROWD_CLIENTS, CROWD_RECORDS, measureCrowd } from './crowd.ts';
import { measureDeadline } from './deadline.ts';
import { createFloor, openFloor } from './floor.ts';
import { measureGate } from './gate.ts';
import { measureIngest, rateOf } from './ingest.ts';
import { median } from './load.ts';
import { type CaseFigures, measureCase } from './measure.ts';
import { type Options, storeDirectory } from './options.ts';
import type { Results } from './report.ts';
import { bareTarget, mcpTarget } from './requests.ts';
import { measureColdStart, measureFirstCall, type Running, startBare, startReal } from './server.ts';
import { ensureStore, measureDisk, withGrants } from './store.ts';
import { pickWords } from './words.ts';

const COLD_STARTS = 5;
/** The default number of workers: as many calls past their deadline run at once. */
const WORKERS = 2;

const started = performance.now();

/** Measures a server over one store in every way. */
export async function measureAll(options: Options): Promise<Results> {
  const { directory } = options;
  const filled = await ensureStore(options);
  const loadBefore = loadavg()[0] as number;
  say('ingest');
  const ingest = await measureIngest(directory, options.records);
  const measured = await withGrants(directory, WORKERS, async (tokens) => {
    const [token, heavy] = tokens as [string, string];
    say('cold start');
    const coldStart: number[] = [];
    for (let at = 0; at < COLD_STARTS; at++) coldStart.push(await measureColdStart(directory, token));
    say('first typo after a start');
    const firstTypo = await measureFirstTypos(directory, token);
    say('gate');
    const gate = await measureGate(directory, token);
    const calls = await measureCalls(options, token);
    say("others' fetch beside the heaviest client");
    const beside = await withFloor(directory, (db) =>
      measureBeside(directory, db, { light: token, heavy }, options),
    );
    say('calls past a deadline');
    const deadline = await measureDeadline(directory, tokens);
    return {
      coldStart: withMedian(coldStart),
      firstTypo: withMedian(firstTypo),
      gate,
      beside,
      deadline,
      ...calls,
    };
  });
  return {
    node: process.versions.node,
    processors: availableParallelism(),
    ingest,
    filling: filled && rateOf(filled),
    ...measured,
    crowd: await measureClients(options),
    disk: measureDisk(directory),
    systemLoad: [loadBefore, loadavg()[0] as number],
    seconds: (performance.now() - started) / 1_000,
  };
}

async function measureFirstTypos(directory: string, token: string): Promise<number[]> {
  const words = await withFloor(directory, (db) => pickWords(db).misspelt.slice(0, COLD_STARTS));
  const all: number[] = [];
  for (const { typed } of words)
    all.push(await measureFirstCall(directory, token, { name: 'search', arguments: { query: typed } }));
  return all;
}

function withMedian(all: readonly number[]) {
  return { median: median(all), all };
}

/** Measures every case, or those of `--only`. */
export async function measureCalls(options: Options, token: string) {
  const { directory } = options;
  return withFloor(directory, async (db) => {
    const floor = createFloor(db);
    const running: Running[] = [];
    try {
      const real = await startReal(directory);
      running.push(real);
      const bare = await startBare(directory);
      running.push(bare);
      const targets = {
        real: mcpTarget(real, token),
        legacy: mcpTarget(real, token, '2025'),
        bare: bareTarget(bare),
      };
      const cases: CaseFigures[] = [];
      for (const one of createCases(db).filter(({ id }) => options.only?.includes(id) ?? true)) {
        say(one.title);
        cases.push(await measureCase(one, targets, floor, options));
      }
      const records = db.prepare('select sum(n) from days').pluck().get() as number;
      return { records, cases, memory: real.readMemory() };
    } finally {
      await Promise.all(running.map((one) => one.stop()));
    }
  });
}

async function measureClients(options: Options) {
  const records = Math.min(CROWD_RECORDS, options.records);
  const crowd = { ...options, records, directory: storeDirectory(records), isCached: true };
  await ensureStore(crowd);
  say(`${CROWD_CLIENTS} clients`);
  const cases = await withFloor(crowd.directory, createCases);
  return withGrants(crowd.directory, CROWD_CLIENTS, (tokens) =>
    measureCrowd(crowd.directory, cases, tokens, records),
  );
}

async function withFloor<T>(directory: string, work: (db: Database.Database) => Promise<T> | T): Promise<T> {
  const db = openFloor(directory);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${what}`);
}
