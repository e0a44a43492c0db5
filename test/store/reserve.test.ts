import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findBuild } from '../support/processes/build.ts';
import { findFreePort, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

it('a server that cannot reserve disk space still starts', async () => {
  const data = makeFolder();
  const args = ['serve', '--data', data, '--port', String(await findFreePort())];
  const cli = join(findBuild(), 'src/cli.js');
  // A limit on the size of files, in kilobytes, below that of the reserve.
  const limited = ['-c', 'ulimit -f 8000; exec "$@"', 'bash', process.execPath, cli, ...args];
  const server = spawn('bash', limited);
  const ended = waitForEnd(server);
  await waitForText(server, /claude mcp add/);
  expect(existsSync(join(data, 'reserve'))).toBe(false);
  server.kill('SIGTERM');
  expect((await ended).err).toContain('Could not reserve disk space');
});
