import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

it('a server with --watch imports new files in the folder and keeps serving', {
  timeout: 60_000,
}, async () => {
  const folder = makeFolder();
  const [data, exports] = [join(folder, 'data'), join(folder, 'exports')];
  mkdirSync(exports);
  const port = await findFreePort();
  const child = startCli(['serve', '--data', data, '--port', String(port), '--watch', exports]);
  const ended = waitForEnd(child);
  const imported = waitForText(child, /"format":"\w+"/);
  while (
    !(await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((wake) => setTimeout(wake, 50));
  writeFileSync(join(exports, 'drinks.csv.part'), 'id,what,when\n1,coffee,2024-05-01\n');
  renameSync(join(exports, 'drinks.csv.part'), join(exports, 'drinks.csv'));
  expect(await imported).toContain('"format":"generic"');
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).ok).toBe(true);
  child.kill('SIGTERM');
  await ended;
  const list = JSON.parse((await runCli(['connection', 'list', '--data', data, '--json'])).out);
  expect(list).toMatchObject([{ connection_id: 'file-drinks' }]);
});
