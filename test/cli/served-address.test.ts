import { describe, expect, it, onTestFinished } from 'vitest';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

describe('commands while a server runs', () => {
  it('name its address, and doctor reports that clients cannot reach it there', async () => {
    const data = makeFolder();
    const [port, dead] = [await findFreePort(), await findFreePort()];
    const before = await runCli(['demo', '--data', data]);
    expect(before.out).toContain(
      `Connect an app: run pdpp serve --data ${data}, then open http://127.0.0.1:7733/dashboard/connect`,
    );
    const publicUrl = `http://127.0.0.1:${dead}`;
    const child = startCli(['serve', '--data', data, '--port', String(port), '--public-url', publicUrl]);
    const ended = waitForEnd(child);
    onTestFinished(() => endProcess(child, 'SIGKILL'));
    await waitForText(child, /claude mcp add/);
    const [demo, reset, other, doctor, taken] = await Promise.all([
      runCli(['demo', '--data', data]),
      runCli(['owner', 'reset', '--data', data]),
      runCli(['owner', 'reset', '--data', data, '--port', '4444']),
      runCli(['doctor', '--data', data]),
      runCli(['serve', '--data', makeFolder(), '--port', String(port)]),
    ]);
    expect(demo.out).toContain(`Connect an app: open ${publicUrl}/dashboard/connect`);
    expect(reset.out).toMatch(new RegExp(`It works once:\\n\\n${publicUrl}/setup/`));
    expect(other.out).toContain('http://127.0.0.1:4444/setup/');
    expect(doctor.out).toMatch(new RegExp(`^ok +server: running at ${publicUrl} since 20\\S+ `, 'm'));
    expect(doctor.out).toMatch(
      new RegExp(
        `^BAD +clients: ${publicUrl} does not answer.*The server answers at http://127.0.0.1:${port}, so`,
        'm',
      ),
    );
    expect(doctor.code).toBe(3);
    expect([taken.code, taken.err]).toEqual([2, expect.stringContaining(`Port ${port} is in use`)]);
    expect(taken.err).toContain(`--port ${port + 1}`);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    const after = await runCli(['doctor', '--data', data]);
    expect(after.out).toMatch(/^ok +server: not running on this folder\. Start it: pdpp serve --data \S+$/m);
  }, 120_000);
});
