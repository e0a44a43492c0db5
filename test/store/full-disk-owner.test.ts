import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** A disk of its own, of 340 MB in memory, where this user may mount one. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=340m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
}

const disk = mountDisk();
afterAll(() => {
  if (disk === undefined) return;
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
});

/** Writes until nothing more fits. */
function fillDisk(folder: string): void {
  const handle = openSync(join(folder, 'filler'), 'w');
  try {
    for (const size of [2 ** 20, 2 ** 12, 1]) {
      try {
        for (;;) writeSync(handle, Buffer.alloc(size, 1));
      } catch (error) {
        if ((error as { code: string }).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(handle);
  }
}

describe.skipIf(disk === undefined)('a full disk', () => {
  const folder = disk as string;
  const data = join(folder ?? '', 'data');

  async function start() {
    const server = startCli(['serve', '--port', String(await findFreePort())], { PDPP_DATA: data });
    const ended = waitForEnd(server);
    await waitForText(server, /claude mcp add/);
    return async () => {
      server.kill('SIGTERM');
      return ended;
    };
  }

  it('lets the owner start the server and remove a connection', async () => {
    mkdirSync(data, { mode: 0o700 });
    const rows = Array.from({ length: 20_000 }, (_, at) => `${at},canary${at} and more words,2026-01-01`);
    const csv = join(makeFolder(), 'notes.csv');
    writeFileSync(csv, `id,note,date\n${rows.join('\n')}\n`);
    const imported = await runCli(['import', csv, '--json', '--data', data]);
    expect(imported.code, imported.err).toBe(0);
    await (await start())();
    expect(existsSync(join(data, 'reserve'))).toBe(true);
    const list = JSON.parse((await runCli(['connection', 'list', '--json', '--data', data])).out);
    const [{ connection_id: id }] = list;
    fillDisk(folder);
    const stop = await start();
    const removed = await runCli(['connection', 'remove', id, '--json', '--data', data]);
    expect(removed.err).toBe('');
    expect(JSON.parse(removed.out)).toMatchObject({ records: 20_000 });
    expect((await stop()).code).toBe(0);
    // With room again, space is set aside again.
    rmSync(join(folder, 'filler'));
    await (await start())();
    expect(existsSync(join(data, 'reserve'))).toBe(true);
  });
});
