import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markAlarmsSeen, readAlarms } from '../../src/audit/alarms.ts';
import { createEventLog } from '../../src/audit/events.ts';
import { checkFolderState } from '../../src/cli/serve/check-folder-state.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { findFreePort, runCli, startCli, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { createWorld } from '../support/world.ts';

async function makeStore(): Promise<string> {
  const folder = makeFolder();
  const store = await openStore(folder);
  await ingestBatch(store, 1);
  store.close();
  return folder;
}

const parts: [name: string, says: RegExp][] = [
  ['audit.sqlite', /audit\.sqlite\) was missing/],
  ['server-secret', /server-secret\) was missing/],
];

describe.each(parts)('%s that is missing beside a store', (name, says) => {
  it('D-05 is created again with a warning, and every page reports it', async () => {
    const folder = await makeStore();
    rmSync(join(folder, name));
    // A short command may be the first to happen on it; the owner hears of it all the same.
    const command = await runCli(['grant', 'list', '--data', folder]);
    expect(command.code).toBe(0);
    expect(command.err).toContain(`${name} was missing and was created again`);
    expect((await runCli(['grant', 'list', '--data', folder])).err).toBe('');

    const world = await createWorld({ directory: folder });
    const told = await checkFolderState(world.store, createEventLog(world.store.audit), new Date());
    expect(told).toEqual([expect.stringMatching(says)]);
    const browser = await createOwnerBrowser(world);
    for (const path of ['/dashboard', '/dashboard/apps', '/dashboard/data'])
      expect((await browser.open(path)).text).toMatch(says);
    // Once is enough.
    expect(await checkFolderState(world.store, createEventLog(world.store.audit), new Date())).toEqual([]);
    world.close();
  });
});

describe('an audit whose alarms were seen', () => {
  it('D-05 shows new alarms after it was lost, although their numbers were seen before', async () => {
    const folder = await makeStore();
    const before = await openStore(folder);
    for (let i = 0; i < 5; i += 1) await createEventLog(before.audit)({ kind: 'code_replayed' }, new Date());
    await markAlarmsSeen(before);
    expect(await readAlarms(before)).toEqual([]);
    before.close();
    rmSync(join(folder, 'audit.sqlite'));
    const store = await openStore(folder);
    await checkFolderState(store, createEventLog(store.audit), new Date());
    expect(await readAlarms(store)).toMatchObject([{ text: expect.stringMatching(/was missing/) }]);
    store.close();
  });
});

describe('a server on a folder without its audit', () => {
  it('D-05 says so in the log and on the terminal', async () => {
    const folder = await makeStore();
    rmSync(join(folder, 'audit.sqlite'));
    const child = startCli(['serve', '--port', String(await findFreePort()), '--data', folder]);
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    await waitForText(child, /claude mcp add/);
    child.kill('SIGKILL');
    expect(out).toMatch(/^WARNING: The record of what apps have read \(audit\.sqlite\) was missing/);
    const logged = err
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { event: string; message: string });
    expect(logged).toContainEqual(
      expect.objectContaining({ event: 'warning', message: expect.stringMatching(/audit/) }),
    );
  });
});

describe('a folder during its first start', () => {
  it('has lost no file', async () => {
    const folder = makeFolder();
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    (await openStore(folder, warn)).close();
    // A start that died before the rest was there.
    for (const name of ['audit.sqlite', 'server-secret']) rmSync(join(folder, name));
    const store = await openStore(folder, warn);
    expect(warnings).toEqual([]);
    expect(await checkFolderState(store, createEventLog(store.audit), new Date())).toEqual([]);
    expect(await readAlarms(store)).toEqual([]);
    expect(existsSync(join(folder, 'audit.sqlite'))).toBe(true);
    store.close();
  });
});
