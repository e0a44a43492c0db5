import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthClient, signIn } from '../support/oauth-client.ts';
import { print, printTable } from '../support/print-table.ts';
import { installPrograms } from './support/install.ts';
import { describeReport, LOAD_BATCH_SIZE, type LoadReport, startLoad } from './support/load.ts';
import {
  LEADER_TTL_SECONDS,
  type PatroniCluster,
  type PatroniNode,
  startPatroni,
} from './support/patroni.ts';
import { makeClusterFolder, removeFolder, waitUntil } from './support/run-program.ts';
import { prepareDatabase, type Served, serveDatabase } from './support/served.ts';

const ROUNDS = Number(process.env.PDPP_ROUNDS ?? 3);

/** How a primary fails, and how it comes back. */
const failures: Record<string, { fail: (node: PatroniNode) => void; repair: (node: PatroniNode) => void }> = {
  'machine killed': { fail: (node) => node.signalAll('SIGKILL'), repair: (node) => node.start() },
  'PostgreSQL killed': { fail: (node) => node.killPostgres(), repair: () => {} },
  'machine frozen': {
    fail: (node) => node.signalAll('SIGSTOP'),
    repair: (node) => node.signalAll('SIGCONT'),
  },
};

let folder: string;
let cluster: PatroniCluster;
let ownerToken: string;
const servers: Served[] = [];
beforeAll(async () => {
  installPrograms();
  folder = makeClusterFolder();
  cluster = await startPatroni(folder);
  ownerToken = await prepareDatabase({ url: cluster.url() });
  for (let i = 0; i < 2; i++) servers.push(await serveDatabase({ DATABASE_URL: cluster.url() }));
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  cluster?.stop();
  await sleep(500);
  removeFolder(folder);
});

/** Returns what was acknowledged and is not in the database. */
async function findLosses(report: LoadReport): Promise<string[]> {
  // The load goes on while the database is read.
  const [batches, reads] = [[...report.batches], [...report.reads]];
  const keys = await cluster.query<{ key: string }>('select key from records', 'pdpp');
  const stored = new Set(keys.map(({ key }) => key));
  const audited = await cluster.query<{ id: string }>('select request_id as id from audit', 'pdpp');
  const entries = new Set(audited.map(({ id }) => id));
  return [
    ...batches.flatMap((batch) =>
      Array.from({ length: LOAD_BATCH_SIZE }, (_, i) => `b${batch}-${i}`).filter((key) => !stored.has(key)),
    ),
    ...reads.filter((id) => !entries.has(id)),
  ];
}

describe('failover with Patroni and a synchronous standby', () => {
  it(`loses nothing that was acknowledged, in ${ROUNDS} rounds`, { timeout: ROUNDS * 180_000 }, async () => {
    const server = servers[0] as Served;
    const client = await OAuthClient.register(server);
    const { access_token: app } = await client.connect(await signIn(server), { preset: 'everything' });
    const load = startLoad(servers, { owner: ownerToken, app });
    const { report } = load;
    const rounds: Record<string, string | number>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [name, { fail, repair }] = Object.entries(failures)[round % 3] as [
        string,
        (typeof failures)[string],
      ];
      await load.waitForSuccess(30_000);
      load.resetInterruptions();
      await sleep(500 + Math.random() * 1_500);
      const leader = await cluster.findLeader();
      fail(leader);
      await waitUntil(
        'another node leads',
        async () => (await cluster.findLeader()).name !== leader.name,
        120_000,
      );
      await load.waitForSuccess();
      repair(leader);
      // A frozen primary does not know yet that it was replaced.
      await sleep(2_000);
      await cluster.waitUntilHealthy();
      await load.waitForSuccess();
      const lost = await findLosses(report);
      const { write, read } = report.interruptions;
      const figures = {
        round,
        failure: name,
        writeMs: Math.round(write),
        readMs: Math.round(read),
        lost: lost.length,
      };
      rounds.push(figures);
      print(JSON.stringify(figures));
      expect(lost).toEqual([]);
    }
    await load.stop();
    printTable(rounds);
    print(`${describeReport(report)}; leader key ${LEADER_TTL_SECONDS} s`);
    expect(report.wrong).toEqual([]);
  });
});
