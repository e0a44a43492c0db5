import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventLog } from '../../src/audit/events.ts';
import { createGrant } from '../../src/grants/grant-store.ts';
import { checkHostName, checkOwnerName } from '../../src/store/owners/check-owner.ts';
import type { OwnerList } from '../../src/store/owners/owner-list.ts';
import { connectDatabase } from '../../src/store/postgres/connect.ts';
import { type Connections, createConnections } from '../../src/store/postgres/connections.ts';
import { openHostedStore, openStore } from '../../src/store/postgres/open-store.ts';
import { createOwnerList as createTableList } from '../../src/store/postgres/owner-list.ts';
import { serveFolder } from '../../src/store/sqlite/folder/folder-lock.ts';
import { openStore as openFolder } from '../../src/store/sqlite/open-store.ts';
import { createOwnerList as createFileList } from '../../src/store/sqlite/owner-list.ts';
import { createTestDatabase, runAsAdmin, testSettings } from '../support/postgres/databases.ts';
import { useServer } from '../support/postgres/server.ts';
import { makeFolder } from '../support/temp-folder.ts';

const AT = new Date('2026-11-18T00:00:00.000Z');
const secret = Buffer.alloc(32, 9);

interface Lists {
  readonly directory: string;
  /** A list as another process has it. */
  open(): Promise<OwnerList>;
}

async function connectTo(url: string): Promise<Connections> {
  const connections = await connectDatabase({ ...testSettings, url, poolSize: 3 }, () => {});
  onTestFinished(() => connections.close());
  return connections;
}

async function createLists(engine: string): Promise<Lists> {
  const directory = makeFolder();
  if (engine === 'SQLite') return { directory, open: async () => createFileList(directory) };
  const url = await createTestDatabase();
  return { directory, open: async () => createTableList(await connectTo(url), { directory, secret }) };
}

describe.each(['SQLite', 'PostgreSQL'])('the owners of a deployment on %s', (engine) => {
  it('are found by name and host, also by a process that had the list open before', async () => {
    const { directory, open } = await createLists(engine);
    const [here, there] = [await open(), await open()];
    expect(await there.list()).toEqual([]);
    await here.add({ name: 'bob', host: 'bob.example' }, AT);
    const alice = await here.add({ name: 'alice', host: 'alice.example' }, AT);
    expect(alice).toEqual({
      ...{ name: 'alice', host: 'alice.example', createdAt: AT.toISOString() },
      folder: join(directory, 'owners', 'alice'),
    });
    expect(await there.find('alice')).toEqual(alice);
    expect(await there.findByHosts(['x.example', 'alice.example'])).toEqual([alice]);
    expect(await there.findByHosts(['ALICE.example'])).toEqual([]);
    expect((await there.list()).map(({ name }) => name).sort()).toEqual(['alice', 'bob']);
  });

  it('have one name and one host each, even if two processes add them at once', async () => {
    const { open } = await createLists(engine);
    const lists = await Promise.all([open(), open(), open()]);
    const outcomes = await Promise.allSettled(
      lists.map((list, at) => list.add({ name: 'alice', host: `${at}.example` }, AT)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [list] = lists;
    await expect(list.add({ name: 'alice', host: 'new.example' }, AT)).rejects.toThrow(
      'An owner with this name already exists.',
    );
    const { host } = (await list.find('alice')) as { host: string };
    await expect(list.add({ name: 'bob', host }, AT)).rejects.toThrow('Another owner has this host.');
  });

  it('are not found after their removal, and their name and host are free', async () => {
    const { open } = await createLists(engine);
    const list = await open();
    await list.add({ name: 'alice', host: 'alice.example' }, AT);
    await list.remove('alice', AT);
    expect(await list.findByHosts(['alice.example'])).toEqual([]);
    await expect(list.remove('alice', AT)).rejects.toThrow('There is no owner of this name.');
    await list.add({ name: 'alice', host: 'alice.example' }, AT);
    expect(await list.list()).toHaveLength(1);
  });
});

describe('an owner on SQLite', () => {
  it('does not get the folder that somebody else of this name had', async () => {
    const directory = makeFolder();
    const list = createFileList(directory);
    const folder = join(directory, 'owners', 'alice');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'store.sqlite'), 'data of another Alice');
    await expect(list.add({ name: 'alice', host: 'a.example' }, AT)).rejects.toThrow('already contains data');
    await list.add({ name: 'alice', host: 'a.example', folder }, AT);
    expect(readFileSync(join(directory, 'owners.json'), 'utf8')).toContain('"folder": "owners/alice"');
    await expect(list.add({ name: 'bob', host: 'b.example', folder }, AT)).rejects.toThrow('this folder');
    await expect(list.add({ name: 'bob', host: 'b.example', folder: directory }, AT)).rejects.toThrow(
      'this folder',
    );
  });

  it('is removed while the server has the folder open: the folder moves when the server closes it', async () => {
    const directory = makeFolder();
    const list = createFileList(directory);
    const { folder } = await list.add({ name: 'alice', host: 'a.example' }, AT);
    (await openFolder(folder)).close();
    const lock = serveFolder(folder, { url: 'http://a.example', started_at: AT.toISOString() });
    const removing = list.remove('alice', AT);
    expect(await createFileList(directory).findByHosts(['a.example'])).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(folder)).toBe(true);
    lock.release();
    const kept = join(directory, 'owners', 'removed', 'alice-2026-11-18T00-00-00-000Z');
    expect(await removing).toEqual({ folder: kept });
    expect([existsSync(folder), existsSync(join(kept, 'store.sqlite'))]).toEqual([false, true]);
  });

  it('keeps a folder that was chosen where it is', async () => {
    const [directory, folder] = [makeFolder(), makeFolder()];
    const list = createFileList(directory);
    await list.add({ name: 'alice', host: 'a.example', folder }, AT);
    expect(await list.remove('alice', AT)).toEqual({ folder });
    expect(existsSync(folder)).toBe(true);
  });
});

describe('an owner on PostgreSQL', () => {
  /** Counts the rows of every table, as an administrator to whom row-level security does not apply. */
  const countRows = async (address: string) => {
    const { url } = await useServer();
    const connections = createConnections({
      ...testSettings,
      url: url(new URL(address).pathname.slice(1), 'admin'),
    });
    onTestFinished(() => connections.close());
    return connections.withConnection('calls', 0, async (connection) => {
      const { rows } = await connection.run({
        text: `select table_name as name from information_schema.columns
          where column_name = 'owner_id' and table_schema = 'public' order by 1`,
        values: [],
      });
      const counts: [string, number][] = [];
      for (const { name } of rows as { name: string }[]) {
        const counted = await connection.run({ text: `select count(*)::int4 as n from ${name}`, values: [] });
        counts.push([name, (counted.rows[0] as { n: number }).n]);
      }
      return counts;
    });
  };

  it('leaves no row in any table, and the rows of others stay', async () => {
    const url = await createTestDatabase();
    const connections = await connectTo(url);
    const directory = makeFolder();
    const list = createTableList(connections, { directory, secret });
    const main = await openStore(connections, { directory, secret });
    await list.add({ name: 'alice', host: 'a.example' }, AT);
    const alice = await openHostedStore(connections, { directory, secret, name: 'alice' });
    for (const { write, audit } of [main, alice]) {
      await createGrant(write, { clientName: 'app', streams: [] }, AT);
      await write.imports.add({
        ...{ connection_id: 'c', format: 'f', state: 'done', report: '{}' },
        started_at: AT.toISOString(),
      });
      await createEventLog(audit)({ kind: 'owner_tokens_ended' }, AT);
    }
    const before = await countRows(url);
    await list.remove('alice', AT);
    // Only a secret is stored once per hosted owner.
    const half = before.map(([table, n]) => [table, table === 'settings' ? n - 2 : n / 2]);
    expect(await countRows(url)).toEqual(half);
    await expect(alice.write.transact(() => alice.write.catalog.raiseVersion())).rejects.toThrow(
      'was removed',
    );
  });

  it('whose removal was interrupted is not served, and is removed by the next attempt', async () => {
    const url = await createTestDatabase();
    const connections = await connectTo(url);
    const directory = makeFolder();
    const list = createTableList(connections, { directory, secret });
    await list.add({ name: 'alice', host: 'a.example' }, AT);
    const alice = await openHostedStore(connections, { directory, secret, name: 'alice' });
    await createGrant(alice.write, { clientName: 'app', streams: [] }, AT);
    // The first steps of a removal, as they are committed.
    await runAsAdmin(
      new URL(url).pathname.slice(1),
      `update owners set host = null, removed_at = 'now' where name = 'alice'`,
      `delete from counters where owner_id = ${alice.databases.reads.ownerId}`,
    );
    expect([await list.find('alice'), await list.findByHosts(['a.example'])]).toEqual([undefined, []]);
    await expect(openHostedStore(connections, { directory, secret, name: 'alice' })).rejects.toThrow(
      'no owner',
    );
    await expect(list.add({ name: 'alice', host: 'a.example' }, AT)).rejects.toThrow(
      'is still being removed',
    );
    expect(await list.remove('alice', AT)).toEqual({ records: 0 });
    await list.add({ name: 'alice', host: 'a.example' }, AT);
    const again = await openHostedStore(connections, { directory, secret, name: 'alice' });
    expect(await again.read.grants.list()).toEqual([]);
  });

  it('has a secret of its own, which another owner and another deployment cannot read', async () => {
    const url = await createTestDatabase();
    const connections = await connectTo(url);
    const directory = makeFolder();
    const list = createTableList(connections, { directory, secret });
    for (const name of ['alice', 'bob']) await list.add({ name, host: `${name}.example` }, AT);
    const open = (name: string, master = secret) =>
      openHostedStore(connections, { directory, secret: master, name });
    const [alice, again, bob] = await Promise.all([open('alice'), open('alice'), open('bob')]);
    expect(alice.secret).toEqual(again.secret);
    expect(new Set([alice, bob, { secret }].map((one) => Buffer.from(one.secret).toString('hex'))).size).toBe(
      3,
    );
    await expect(open('alice', Buffer.alloc(32))).rejects.toThrow('another server secret');
    // The encrypted secret of one owner, put in the place of another's.
    const database = new URL(url).pathname.slice(1);
    await runAsAdmin(
      database,
      `update settings set value = (select value from settings s join owners using (owner_id)
        where s.name = 'owner_secret' and owners.name = 'bob') where name = 'owner_secret'`,
    );
    await expect(open('alice')).rejects.toThrow('another server secret');
    await expect(open('nobody')).rejects.toThrow('no owner of this name');
  });
});

describe('a name', () => {
  it.each(['', 'Alice', 'a b', '../x', 'owner', 'removed', '-a', 'a'.repeat(64), 'ä'])(
    '%j is refused',
    (name) => {
      expect(() => checkOwnerName(name)).toThrow();
    },
  );
});

describe('a host', () => {
  it.each([
    ...['', 'a.example:80', 'http://a.example', 'a.example/', 'a.example.', '.a', 'a..b', 'a b', '127.0.0.1'],
    ...[
      '[::1]',
      '0x7f.1',
      '1.2.3',
      'a@b',
      'a%2eb',
      '-a.example',
      `${'a.'.repeat(130)}b`,
      'a_b.example',
      'a\tb',
    ],
  ])('%j is refused', (host) => {
    expect(() => checkHostName(host)).toThrow('A host is a host name');
  });

  it('is what browsers send', () => {
    expect(checkHostName('Alice.Example')).toBe('alice.example');
    expect(checkHostName('bücher.example')).toBe('xn--bcher-kva.example');
  });
});
