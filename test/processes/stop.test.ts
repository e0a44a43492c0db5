import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchLines } from '../support/fill-store.ts';
import { ingest } from './support/requests.ts';
import { type Processes, startProcesses } from './support/start-processes.ts';

const CALL_TIMEOUT_SECONDS = 1;
/** Running responses have 5 seconds more than a call, then the database has 10. */
const MAX_STOP_MS = (CALL_TIMEOUT_SECONDS + 5 + 10) * 1_000;
/** A busy machine needs a while. */
const MARGIN_MS = 5_000;
const TRY_AGAIN = 5;

let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses(1, ['--call-timeout', String(CALL_TIMEOUT_SECONDS)]);
});
afterAll(() => processes?.stop());

it('a process that is stopped ends although the database does not answer its writes', async () => {
  const [process] = processes.all;
  if (process === undefined) throw new Error('no process started');
  // Like a primary whose synchronous standby is gone: reads work, and writes wait.
  const locked = processes
    .query('begin; lock table counters in exclusive mode; select pg_sleep(60)')
    .catch(() => {});
  await sleep(500);
  const sent = ingest(process.request, processes.ownerToken, batchLines(1)).catch(() => 'cut off');
  await sleep(500);
  const begun = performance.now();
  expect(await processes.end(process, 'SIGTERM')).toBe(TRY_AGAIN);
  expect(performance.now() - begun).toBeLessThan(MAX_STOP_MS + MARGIN_MS);
  expect(await sent).toBe('cut off');
  await processes.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()`,
  );
  await locked;
});
