import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createEventLog } from '../../src/audit/events.ts';
import { checkFolderState } from '../../src/cli/serve/check-folder-state.ts';
import { createAppChanges } from '../../src/grants/change-grant.ts';
import { isPassphrase, setPassphrase } from '../../src/owner/passphrase.ts';
import { accessTables, dataTables } from '../../src/store/sqlite/backup/access-tables.ts';
import { makeBackup } from '../../src/store/sqlite/backup/make-backup.ts';
import { type RestoreOptions, restoreBackup } from '../../src/store/sqlite/backup/restore-backup.ts';
import { renewMark } from '../../src/store/sqlite/folder/folder-mark.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { countTables, ingestBatch } from '../support/fill-store.ts';
import { createOwnerBrowser, OAuthClient, PASSPHRASE, type Tokens } from '../support/oauth-client.ts';
import { runCli } from '../support/run-cli.ts';
import { listModes } from '../support/stores/modes.ts';
import { unpackOldStore } from '../support/stores/old-store.ts';
import { hashFolder, makeFolder } from '../support/temp-folder.ts';
import { createWorld, type World } from '../support/world.ts';

const withForce = (more: Partial<RestoreOptions> = {}): RestoreOptions => ({
  force: true,
  keepAccess: false,
  now: new Date(),
  ...more,
});

let worlds: World[] = [];
afterEach(() => {
  for (const world of worlds) world.close();
  worlds = [];
});
async function openWorld(directory: string): Promise<World> {
  const world = await createWorld({ directory, clock: 'real' });
  worlds.push(world);
  return world;
}

/** A folder with everything that lets somebody in, its backup, and then one of each ended. */
async function makeHistory() {
  const directory = join(makeFolder(), 'data');
  const world = await createWorld({ directory, clock: 'real' });
  await ingestBatch(world.store, 1);
  const browser = await createOwnerBrowser(world);
  const app = await OAuthClient.register(world);
  const tokens: Tokens = await app.connect(browser, { stream: '0' });
  const kept = await world.grant([{ connection_id: 'mine' }]);
  const revoked = await world.grant([{ connection_id: 'mine' }]);
  const owner = await world.ownerToken();
  const list = await world.call(kept.token, 'query_records', { stream: 'entries', limit: 2 });
  const { path } = await makeBackup(world.store, makeFolder(), { now: new Date(), version: 'test' });

  const changes = createAppChanges({
    write: world.store.write,
    writeEvent: createEventLog(world.store.audit),
    now: () => new Date(),
  });
  await changes.revoke(revoked.grantId);
  const given = await world.grant([{ connection_id: 'mine' }]);
  const refreshed = (await (await app.refresh(tokens.refresh_token)).json()) as Tokens;
  await ingestBatch(world.store, 2);
  return {
    directory,
    path,
    world,
    app,
    tokens,
    refreshed,
    kept,
    revoked,
    given,
    owner,
    cookies: [...browser.cookies].map(([name, value]) => `${name.split(' ')[0]}=${value}`).join('; '),
    cursor: list.structuredContent.next_cursor as string,
  };
}

const isLetIn = async (world: World, token: string) => (await world.rpc(token, 'tools/list')).status === 200;
const isSignedIn = async (world: World, cookie: string) =>
  (await world.request('/dashboard', { headers: { cookie } })).status === 200;

describe('pdpp restore over the folder that was backed up', () => {
  it('D-03 brings back the data, and leaves access as it is: what has ended stays ended', async () => {
    const made = await makeHistory();
    // All browsers are signed out after the backup.
    made.world.store.write.raw.exec('delete from sessions');
    made.world.store.close();
    const restored = await restoreBackup(made.path, made.directory, withForce());
    expect(restored).toMatchObject({ records: 50, access: 'present' });
    const world = await openWorld(made.directory);
    expect(countTables(world.store)).toMatchObject({ records: 50, facets: 50, days: 50, texts: 50 });
    expect(await isLetIn(world, made.revoked.token)).toBe(false);
    for (const token of [made.kept.token, made.given.token, made.refreshed.access_token])
      expect(await isLetIn(world, token)).toBe(true);
    expect(await isSignedIn(world, made.cookies)).toBe(false);
    // The refresh token in use now goes on, and the one before it is still only its predecessor.
    const { status } = await new OAuthClient(world, made.app.clientId).refresh(made.refreshed.refresh_token);
    expect(status).toBe(200);
    // A place in the data of before is none in the data of now.
    const page = await world.call(made.kept.token, 'query_records', {
      stream: 'entries',
      limit: 2,
      cursor: made.cursor,
    });
    expect(page.structuredContent.error.code).toBe('invalid_cursor');
    expect(await checkFolderState(world.store, createEventLog(world.store.audit), new Date())).toEqual([]);
    const kinds = world.store.audit.raw.prepare('select kind from events').pluck().all();
    expect(kinds).toEqual(expect.arrayContaining(['revoked', 'restored']));
    expect(new Set(Object.values(listModes(made.directory)))).toEqual(new Set(['600', '700']));
  });

  it('D-03 keeps a passphrase that was changed since', async () => {
    const made = await makeHistory();
    await setPassphrase(made.world.store.write, 'another passphrase entirely', async () => true);
    made.world.store.close();
    await restoreBackup(made.path, made.directory, withForce());
    const world = await openWorld(made.directory);
    expect(await isPassphrase(world.store.read, PASSPHRASE)).toBe(false);
    expect(await isPassphrase(world.store.read, 'another passphrase entirely')).toBe(true);
  });

  it('keeps the old files unchanged in a separate folder', async () => {
    const made = await makeHistory();
    made.world.store.close();
    const before = hashFolder(made.directory);
    const { aside } = await restoreBackup(made.path, made.directory, withForce());
    expect(hashFolder(aside as string)).toMatchObject({
      'audit.sqlite': before['audit.sqlite'],
      'server-secret': before['server-secret'],
      'store.sqlite': before['store.sqlite'],
    });
    const old = await openStore(aside as string);
    expect(countTables(old).records).toBe(100);
    old.close();
  });

  it('D-03 keeps the access if the records are damaged, and ends all access if it is unknown', async () => {
    for (const [table, access] of [
      ['facets', 'present'],
      ['grants', 'ended'],
    ] as const) {
      const made = await makeHistory();
      const raw = made.world.store.write.raw;
      const page = raw
        .prepare('select rootpage from sqlite_master where name = ?')
        .pluck()
        .get(table) as number;
      made.world.store.close();
      const handle = openSync(join(made.directory, 'store.sqlite'), 'r+');
      writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096);
      closeSync(handle);
      expect(await restoreBackup(made.path, made.directory, withForce())).toMatchObject({
        records: 50,
        access,
      });
      const world = await openWorld(made.directory);
      expect(await isLetIn(world, made.revoked.token)).toBe(false);
      expect(await isLetIn(world, made.kept.token)).toBe(access === 'present');
      // What apps have read since the backup is not forgotten.
      const kinds = world.store.audit.raw.prepare('select kind from events').pluck().all();
      expect(kinds).toEqual(expect.arrayContaining(['revoked', 'restored']));
    }
  });
});

describe('pdpp restore into another folder', () => {
  it('D-03 ends all access of the backup, because later revocations are unknown there', async () => {
    const made = await makeHistory();
    worlds.push(made.world);
    const directory = join(makeFolder(), 'new');
    expect(await restoreBackup(made.path, directory, withForce({ force: false }))).toMatchObject({
      records: 50,
      access: 'ended',
      aside: undefined,
    });
    const world = await openWorld(directory);
    for (const token of [made.kept.token, made.revoked.token, made.tokens.access_token])
      expect(await isLetIn(world, token)).toBe(false);
    expect((await new OAuthClient(world, made.app.clientId).refresh(made.tokens.refresh_token)).status).toBe(
      400,
    );
    const asOwner = await world.request('/v1/schema', { headers: { authorization: `Bearer ${made.owner}` } });
    expect(asOwner.status).toBe(401);
    expect(await isSignedIn(world, made.cookies)).toBe(false);
    expect(await checkFolderState(world.store, createEventLog(world.store.audit), new Date())).toEqual([]);
    await renewMark(world.store);
    expect(readdirSync(directory).filter((name) => /restore|replaced/.test(name))).toEqual([]);
  });

  it('keeps the access of the backup on request', async () => {
    const made = await makeHistory();
    worlds.push(made.world);
    const directory = join(makeFolder(), 'new');
    const { out, code } = await runCli(['restore', made.path, '--keep-access', '--data', directory]);
    expect(code).toBe(0);
    expect(out).toMatch(/Restored 50 records\.\nAll access in the backup works again/);
    const world = await openWorld(directory);
    expect(await isLetIn(world, made.kept.token)).toBe(true);
    expect(await isSignedIn(world, made.cookies)).toBe(true);
  });

  it('accepts a plain copy of an older folder, and upgrades it', async () => {
    const { directory: old, handles } = unpackOldStore();
    const directory = join(makeFolder(), 'new');
    const before = hashFolder(old);
    await restoreBackup(old, directory, withForce({ force: false, keepAccess: true }));
    expect(hashFolder(old)).toEqual(before);
    const world = await openWorld(directory);
    expect(await isLetIn(world, handles.grants.command_line.token)).toBe(true);
    expect(await isLetIn(world, handles.grants.ended.token)).toBe(false);
  });
});

describe('pdpp restore refuses', () => {
  it('a non-empty folder, a folder in use and other folders, and changes nothing', async () => {
    const made = await makeHistory();
    const inUse = await runCli(['restore', made.path, '--force', '--data', made.directory]);
    expect([inUse.code, inUse.err]).toEqual([
      2,
      expect.stringMatching(/Another pdpp has this data folder open/),
    ]);
    made.world.store.close();
    const before = hashFolder(made.directory);
    const held = await runCli(['restore', made.path, '--data', made.directory]);
    expect([held.code, held.err]).toEqual([
      2,
      expect.stringMatching(/already contains a store\.\nAdd --force/),
    ]);
    const nothing = await runCli(['restore', makeFolder(), '--force', '--data', made.directory]);
    expect([nothing.code, nothing.err]).toEqual([4, expect.stringMatching(/No backup found there/)]);
    const above = await runCli(['restore', join(made.path, '..'), '--force', '--data', made.directory]);
    expect(above.err).toContain(`Did you mean ${made.path}?`);

    const damaged = join(makeFolder(), 'damaged');
    cpSync(made.path, damaged, { recursive: true });
    const handle = openSync(join(damaged, 'store.sqlite'), 'r+');
    writeSync(handle, Buffer.from([1]), 0, 1, 50_001);
    closeSync(handle);
    const refused = await runCli(['restore', damaged, '--force', '--data', made.directory]);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringMatching(/store\.sqlite has changed since it was written/),
    ]);
    // Without its list the damage is found when the copy is opened; nothing of the attempt is left.
    rmSync(join(damaged, 'backup.json'));
    const page = openSync(join(damaged, 'store.sqlite'), 'r+');
    for (const number of [10, 20, 30]) writeSync(page, Buffer.alloc(4096, 0x5a), 0, 4096, number * 4096);
    closeSync(page);
    const found = await runCli(['restore', damaged, '--force', '--data', made.directory]);
    expect([found.code, found.err]).toEqual([3, expect.stringMatching(/is damaged/)]);
    expect(hashFolder(made.directory)).toEqual(before);
    expect(existsSync(join(made.directory, 'store.sqlite'))).toBe(true);
  }, 180_000);
});

describe('the origin of restored tables', () => {
  it('is defined for every table', async () => {
    const store = await openStore(makeFolder());
    const tables = store.write.raw
      .prepare(`select name from sqlite_master where type = 'table' and name not glob '*_*_*' order by 1`)
      .pluck()
      .all() as string[];
    const own = tables.filter((name) => !/^(texts|sqlite)_/.test(name));
    expect(own).toEqual([...accessTables, ...dataTables].sort());
    store.close();
    expect(readFileSync(join(store.directory, 'server-secret'))).toHaveLength(32);
  });
});
