import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { batchLines, ingestBatch } from '../support/fill-store.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../support/run-cli.ts';
import { modeOf } from '../support/stores/modes.ts';
import { makeFolder } from '../support/temp-folder.ts';

async function serve(data: string) {
  const port = await findFreePort();
  const child = startCli(['serve', '--port', String(port), '--data', data]);
  const ended = waitForEnd(child);
  onTestFinished(() => endProcess(child, 'SIGKILL'));
  const printed = await waitForText(child, /claude mcp add/);
  return { child, ended, printed, origin: `http://127.0.0.1:${port}` };
}

async function makeStore(): Promise<string> {
  const data = makeFolder();
  const store = await openStore(data);
  await ingestBatch(store, 1);
  store.close();
  return data;
}

describe('two servers on one folder', () => {
  it('D-07 are refused: the second names the process, address and start time of the first', async () => {
    const data = await makeStore();
    const { child, origin } = await serve(data);
    const second = await runCli(['serve', '--port', String(await findFreePort()), '--data', data]);
    expect(second.code).toBe(2);
    expect(second.err).toMatch(/Another pdpp serves this data folder\./);
    expect(second.err).toContain(`pid: ${child.pid}`);
    expect(second.err).toContain(`address: ${origin}`);
    expect(second.err).toMatch(/since: 20\d\d-\d\d-\d\d \d\d:\d\d UTC$/m);
    expect(second.err).not.toMatch(/SQLITE|at .+:\d+:\d+/);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect(modeOf(join(data, 'serve.json'))).toBe('600');
    expect(modeOf(join(data, 'folder.lock'))).toBe('600');

    // Commands beside the server keep working.
    const [listed, ingested, examined, restored] = await Promise.all([
      runCli(['grant', 'list', '--data', data, '--json']),
      runCli(['ingest', 'mine', 'entries', '-', '--data', data, '--json'], {
        input: batchLines(2).join('\n'),
      }),
      runCli(['doctor', '--data', data]),
      runCli(['restore', data, '--force', '--data', data]),
    ]);
    expect([listed.code, ingested.code, examined.code]).toEqual([0, 0, 0]);
    expect(examined.out).toContain(`server: running at ${origin} since`);
    expect(examined.out).toMatch(/ since 20\d\d-\d\d-\d\d \d\d:\d\d UTC \(process \d+\)$/m);
    expect(examined.out).toContain('content: 1 connection\n');
    expect(examined.out).toMatch(/^ok +clients: can reach \S+\/mcp and sign in/m);
    // What would move the files away from under the server does not.
    expect(restored.code).toBe(2);
    expect(restored.err).toContain(`pid: ${child.pid}`);
  }, 180_000);

  it('D-07 may follow each other, also when the process id of a killed server is reused', async () => {
    const data = await makeStore();
    const first = await serve(data);
    first.child.kill('SIGKILL');
    await first.ended;
    const note = join(data, 'serve.json');
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ pid: first.child.pid });
    // The number of a process that runs: a lock that goes by numbers would keep the owner out for good.
    writeFileSync(
      note,
      JSON.stringify({ pid: process.pid, url: 'http://x', started_at: '2026-01-01T00:00:00Z' }),
    );
    expect((await runCli(['doctor', '--data', data])).out).toContain('server: not running on this folder');
    const second = await serve(data);
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({
      pid: second.child.pid,
      url: second.origin,
    });
    expect(second.printed).not.toContain('WARNING');
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    expect(existsSync(note)).toBe(false);
  }, 180_000);
});
