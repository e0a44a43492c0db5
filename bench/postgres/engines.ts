import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readCases } from '../against.ts';
import type { Answer, Case } from '../cases.ts';
import { type Compared, type Comparison, compare } from '../compare.ts';
import { rateOf } from '../ingest.ts';
import { BENCH_SECRET } from '../open-engine.ts';
import { type Options, outDirectory } from '../options.ts';
import { mcpTarget, readMessage } from '../requests.ts';
import { type Running, startReal } from '../server.ts';
import { ensureStore, withGrant } from '../store.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { measureProcesses, type ProcessFigures } from './processes.ts';
import { ensureDatabase, measureFill, type PostgresFill } from './store.ts';

export interface EngineFigures {
  readonly records: number;
  readonly cases: readonly Comparison[];
  readonly processes: readonly ProcessFigures[];
  readonly ingest: IngestRates;
  readonly megabytes: number;
}

/** Records per CPU second while records are ingested. */
export interface IngestRates {
  readonly records: number;
  readonly server: number;
  readonly withDatabase: number;
  readonly sqlite: number | undefined;
}

const FRESH_RECORDS = 100_000;
/** Calls of each case whose answers are compared. */
const CHECKED = 10;

/** Compares a server on PostgreSQL with one on SQLite. Both have the same records, and answer the same calls in turns. */
export async function measureEngines(options: Options): Promise<EngineFigures> {
  const filled = await ensureStore(options);
  const cluster = startCluster(join(outDirectory, 'postgres'));
  try {
    const { url, fill } = await ensureDatabase(cluster, options);
    const ingest = options.only === undefined ? await measureFresh(cluster) : fill;
    const cases = readCases(options.directory).filter(({ id }) => options.only?.includes(id) ?? true);
    const measured = await withGrant(options.directory, (sqliteToken) =>
      withGrant(
        options.directory,
        (token) => measureServers(options, cluster, url, cases, { sqliteToken, token }),
        url,
      ),
    );
    return {
      records: options.records,
      ...measured,
      ingest: { ...ratesOf(ingest), sqlite: filled && rateOf(filled) },
      megabytes: fill.megabytes,
    };
  } finally {
    cluster.stop();
  }
}

async function measureServers(
  options: Options,
  cluster: Cluster,
  url: string,
  cases: readonly Case[],
  { sqliteToken, token }: { readonly sqliteToken: string; readonly token: string },
): Promise<Pick<EngineFigures, 'cases' | 'processes'>> {
  const running: Running[] = [];
  const start = async (at: number) => {
    const server = await startOnPostgres(cluster, url, join(outDirectory, `process-${at}`));
    running.push(server);
    return server;
  };
  try {
    const sqlite = await startReal(options.directory);
    running.push(sqlite);
    const [before, now] = [
      { server: sqlite, token: sqliteToken, cases },
      { server: await start(1), token, cases },
    ];
    for (const one of cases) await checkEqual(one, before, now);
    const figures = await compare(before, now, options);
    const processes =
      options.only === undefined ? await measureProcesses(cases, token, now.server, start) : [];
    return { cases: figures, processes };
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

export async function startOnPostgres(cluster: Cluster, url: string, directory: string): Promise<Running> {
  const env = { DATABASE_URL: url, PDPP_SERVER_SECRET: BENCH_SECRET.toString('hex') };
  return { ...(await startReal(directory, { env })), readDatabaseCpu: () => cluster.readCpu() };
}

/** Fails if the servers answer a call differently. */
async function checkEqual({ id, call }: Case, before: Compared, now: Compared): Promise<void> {
  const targets = [before, now].map(({ server, token }) => mcpTarget(server, token));
  const connections = await Promise.all(targets.map((target) => target.connect()));
  try {
    for (let at = 0; at < CHECKED; at++) {
      const answers = [];
      for (const [which, target] of targets.entries())
        answers.push(await connections[which]?.send(target.write(call(at))));
      const [one, other] = answers.map((body) => withoutIds((readMessage(body ?? '') as Answer).result));
      if (!isDeepStrictEqual(one, other))
        throw new Error(
          `${id}: the engines answer differently\n${JSON.stringify(call(at))}\n${one}\n${other}`,
        );
    }
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Returns the structured part of an answer as text, without what differs between servers: addresses, encrypted cursors and the time. */
function withoutIds({ structuredContent, ...rest }: Answer): string {
  return JSON.stringify(structuredContent ?? rest, (name, value) =>
    ['next_cursor', 'next_changes_since', 'handle', 'url', 'request_id', 'now'].includes(name)
      ? undefined
      : value,
  ).replaceAll(/http:\/\/127\.0\.0\.1:\d+|localhost:\d+/g, '');
}

/** Fills an empty database, as the store of SQLite is filled. */
async function measureFresh(cluster: Cluster): Promise<Omit<PostgresFill, 'fingerprint'>> {
  const name = 'bench_fresh';
  await cluster.dropDatabase(name);
  try {
    return await measureFill(cluster, await cluster.createDatabase(name), FRESH_RECORDS);
  } finally {
    await cluster.dropDatabase(name);
  }
}

function ratesOf({ records, cpuSeconds, databaseCpuSeconds }: Omit<PostgresFill, 'fingerprint'>) {
  return {
    records,
    server: Math.round(records / cpuSeconds),
    withDatabase: Math.round(records / (cpuSeconds + databaseCpuSeconds)),
  };
}
