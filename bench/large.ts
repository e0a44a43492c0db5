import { createCases, findCase } from './cases.ts';
import { COMPARISON_HEAD, type Comparison, compare, renderComparison } from './compare.ts';
import { openFloor } from './floor.ts';
import { addUp, type IngestFigures, measureIngest, rateOf } from './ingest.ts';
import { type Options, storeDirectory } from './options.ts';
import { type Running, startReal } from './server.ts';
import { ensureStore, measureDisk, withGrant } from './store.ts';
import { count, table } from './table.ts';

export interface LargeFigures {
  readonly records: number;
  readonly baseRecords: number;
  readonly cases: readonly Comparison[];
  readonly memory: number;
  readonly ingest: IngestFigures;
  readonly filling: {
    readonly seconds: number;
    /** Records per CPU second of the whole and of each tenth. */
    readonly rate: number;
    readonly tenths: readonly number[];
  };
  readonly diskMegabytes: number;
}

const BASE_RECORDS = 1_000_000;
/** A store that is not larger than this is compared with a tenth of it: that only shows that the command works. */
const MIN_RECORDS = 2 * BASE_RECORDS;
/** Calls that answer a page or a bounded number of groups: their time must not grow with the store. */
export const PAGES = ['fetch', 'filtered', 'newest', 'months', 'search', 'search_typo', 'schema', 'list'];
/** Calls that read every record of a stream. The deadline bounds them. */
const SCANS = ['monthly_sum', 'top'];

/** Compares a store of ten million records, or of `--records`, with one of a million: both servers answer in turns. */
export async function measureLarge(options: Options): Promise<LargeFigures> {
  const records = options.records < MIN_RECORDS ? options.records / 10 : BASE_RECORDS;
  const base = { ...options, records, directory: storeDirectory(records), isCached: true };
  await ensureStore(base);
  const filled = await ensureStore(options);
  if (filled === undefined) throw new Error('nothing is known about the filling of this store');
  const { cases, memory } = await withGrant(base.directory, (baseToken) =>
    withGrant(options.directory, (token) => compareSizes(base.directory, baseToken, options, token)),
  );
  const tenth = Math.ceil(filled.chunks.length / 10);
  const tenths = Array.from({ length: 10 }, (_, at) => filled.chunks.slice(at * tenth, (at + 1) * tenth));
  const disk = Object.values(measureDisk(options.directory)).reduce((sum, one) => sum + one, 0);
  return {
    records: filled.records,
    baseRecords: records,
    cases,
    memory,
    ingest: await measureIngest(options.directory, records),
    filling: {
      seconds: filled.wallSeconds,
      rate: rateOf(filled),
      tenths: tenths.filter((chunks) => chunks.length > 0).map((chunks) => rateOf(addUp(chunks))),
    },
    diskMegabytes: disk,
  };
}

async function compareSizes(baseDirectory: string, baseToken: string, options: Options, token: string) {
  const running: Running[] = [];
  const start = async (directory: string, known: string) => {
    const server = await startReal(directory);
    running.push(server);
    const db = openFloor(directory);
    try {
      const all = createCases(db);
      return { server, token: known, cases: [...PAGES, ...SCANS].map((id) => findCase(all, id)) };
    } finally {
      db.close();
    }
  };
  try {
    const base = await start(baseDirectory, baseToken);
    const large = await start(options.directory, token);
    const cases = await compare(base, large, options);
    return { cases, memory: large.server.readMemory().rss };
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

export function renderLarge(figures: LargeFigures): string {
  const { ingest, filling } = figures;
  const added = ingest.added.map(({ kind, small, full }) => `${kind} ${(full / small).toFixed(2)}x`);
  return `${count(figures.records)} records against ${count(figures.baseRecords)}

${table(listLargeRows(figures))}
before: ${count(figures.baseRecords)} records; now: ${count(figures.records)}. CPU and calls/s with 8 connections, p50 with one.
Filled in ${count(filling.seconds)} s, ${count(filling.rate)} records per CPU second; by tenths ${filling.tenths.map(count).join(', ')}
Ingest of 10,000 records against a small store: ${added.join(', ')}
Memory of the server: ${figures.memory} MB; disk: ${count(figures.diskMegabytes)} MB`;
}

export function listLargeRows({ cases }: LargeFigures): string[][] {
  return [['', ...COMPARISON_HEAD], ...cases.map(renderComparison)];
}
