import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { listImports } from '../../../src/import/import-log.ts';
import { undoImport } from '../../../src/import/undo-import.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import { readCorpus } from '../../attachments/make-mail.ts';
import { openAccount } from '../support/run-account.ts';
import { Dovecot, HOST, PASSWORD, USER } from './dovecot.ts';
import { testNetwork } from './memory-run.ts';

const server = new Dovecot();
beforeAll(() => server.start());
afterAll(() => server.remove());

const corpus = readCorpus();
const samples = ['letter-german.pdf', 'letter-german.docx'].map(
  (name) => corpus.find((one) => one.name === name) as (typeof corpus)[0],
);

/** A mail with a file for each sample. */
function makeMail(id: string, headers: readonly string[] = []): string {
  const parts = samples.flatMap(({ name, bytes }) => [
    '--cut',
    `Content-Type: application/octet-stream; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
  ]);
  return [
    `Message-ID: <${id}>`,
    `Subject: ${id}`,
    'From: Ben <ben@example.net>',
    `To: ${USER}`,
    `Delivered-To: ${USER}`,
    'Date: Wed, 01 May 2024 10:00:00 +0000',
    ...headers,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=cut',
    '',
    '--cut',
    '',
    'Hello',
    ...parts,
    '--cut--',
    '',
  ].join('\n');
}

// An import recognises a connection by three mails or by the address that they were delivered to.
const mails = [makeMail('one@x'), makeMail('two@x', ['In-Reply-To: <one@x>']), makeMail('three@x')];
const mbox = mails.map((mail) => `From - Wed May 01 10:00:00 2024\n${mail}\n`).join('');

async function setUp(more: Record<string, unknown> = {}) {
  const settings = { user: USER, server: HOST, port: server.port, ...more };
  const account = await openAccount('imap', settings, PASSWORD, testNetwork(), USER);
  onTestFinished(() => account.store.close());
  // Keys depend on the secret of a store, and these tests compare stores.
  await account.store.write.catalog.addKeySecret('same');
  return {
    ...account,
    async sync() {
      expect(await account.sync()).toMatchObject({ state: 'synced' });
    },
    /** The names of the kept files, and the records in their index. */
    async readKept() {
      const [connection = ''] = await account.listConnections();
      const folder = join(account.store.directory, 'files', connection);
      if (!existsSync(folder)) return undefined;
      const index = readFileSync(join(folder, 'index.ndjson'), 'utf8');
      return {
        files: readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name)).length,
        records: index
          .split('\n')
          .flatMap((line) => (line === '' ? [] : String(JSON.parse(line).record)))
          .sort()
          .sort(),
        others: readdirSync(folder).filter((name) => !/^([0-9a-f]{64}|index\.ndjson|lock)$/.test(name)),
      };
    },
    /** The attachments of all connections, by connection and key. */
    async read() {
      const { streams } = await loadCatalog(account.store.read);
      const own = new Set(
        streams.filter(({ name }) => name === 'attachments').map(({ streamId }) => streamId),
      );
      const rows = account.store.read.raw.prepare('select stream_id, data from records').all() as {
        stream_id: number;
        data: string;
      }[];
      return rows
        .filter(({ stream_id }) => own.has(stream_id))
        .map(({ data }) => JSON.parse(data) as Record<string, unknown>)
        .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
    },
  };
}

it('gives the attachments of an mbox import, in both orders, and each once', async () => {
  await server.edit(async (client) => {
    await client.mailboxOpen('INBOX');
    await client.messageDelete('1:*');
  });
  for (const mail of mails) await server.append('INBOX', mail);
  const [imported, synced] = [await setUp(), await setUp()];
  await imported.import('INBOX.mbox', mbox);
  await synced.sync();
  const expected = await imported.read();
  expect(expected).toHaveLength(6);
  expect(new Set(expected.map(({ text_status }) => text_status))).toEqual(new Set(['read']));
  expect(JSON.stringify(expected)).toContain('Grundstücksverkehrsgenehmigung');
  expect(await synced.read()).toEqual(expected);
  await imported.sync();
  await synced.import('INBOX.mbox', mbox);
  expect(await synced.listConnections()).toHaveLength(1);
  expect(await synced.read()).toEqual(expected);
  expect(await imported.listConnections()).toHaveLength(1);
  expect(await imported.read()).toEqual(expected);
});

it('keeps attachments when flags and conversations change, and deletes them with their mail', async () => {
  const account = await setUp();
  await server.edit(async (client) => {
    await client.mailboxOpen('INBOX');
    await client.messageDelete('1:*');
  });
  await server.append('INBOX', makeMail('two@x', ['In-Reply-To: <one@x>']));
  await account.sync();
  const [before] = [await account.read()];
  expect(before).toHaveLength(2);
  // The mail that it answers comes later and answers another one, so the answer moves.
  await server.append('INBOX', makeMail('one@x', ['In-Reply-To: <root@x>']));
  await account.sync();
  expect(await account.read()).toHaveLength(4);
  const threads = account.store.read.raw
    .prepare("select count(*) from records join streams using (stream_id) where stream = 'threads'")
    .pluck();
  expect(threads.get()).toBe(1);
  await server.edit(async (client) => {
    await client.mailboxOpen('INBOX');
    await client.messageFlagsAdd('1:*', ['\\Seen']);
  });
  await account.sync();
  expect(await account.read()).toHaveLength(4);
  await server.edit(async (client) => {
    await client.mailboxOpen('INBOX');
    await client.messageMove('1', 'Archive');
  });
  await account.sync();
  expect(await account.read()).toHaveLength(4);
  await server.edit(async (client) => {
    await client.mailboxOpen('INBOX');
    await client.messageDelete('1');
  });
  await account.sync();
  expect(await account.read()).toEqual(before);
});

const emptyFolders = () =>
  server.edit(async (client) => {
    for (const folder of ['INBOX', 'Archive']) {
      await client.mailboxOpen(folder);
      await client.messageDelete('1:*');
    }
  });

it('keeps the files of new mails only if the owner wants that, and deletes them with their last mail', async () => {
  await emptyFolders();
  for (const mail of mails.slice(0, 2)) await server.append('INBOX', mail);
  const [account, other] = [await setUp({ 'keep-files': true }), await setUp()];
  for (const one of [account, other]) await one.sync();
  expect(await other.readKept()).toBeUndefined();
  const kept = await account.readKept();
  expect(kept).toMatchObject({ files: 2, others: [] });
  const keys = (await account.read()).map(({ id }) => id);
  expect(kept?.records).toEqual(keys);
  const deleteFirst = () =>
    server.edit(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageDelete('1');
    });
  await deleteFirst();
  await account.sync();
  expect(await account.readKept()).toMatchObject({
    files: 2,
    records: keys.filter((key) => !`${key}`.includes('one@x')),
    others: [],
  });
  await deleteFirst();
  await account.sync();
  expect(await account.readKept()).toEqual({ files: 0, records: [], others: [] });
});

it('deletes what a sync has kept when it is undone', async () => {
  await emptyFolders();
  await server.append('INBOX', makeMail('one@x'));
  const account = await setUp({ 'keep-files': true });
  await account.import('INBOX.mbox', mbox);
  await account.sync();
  // The mail was imported before, so its records stay.
  await server.append('INBOX', makeMail('four@x'));
  await account.sync();
  expect((await account.readKept())?.records).toHaveLength(4);
  const [newest] = await listImports(account.store.read);
  await undoImport(account.store, newest?.import_id as number, new Date());
  const kept = await account.readKept();
  expect(kept?.records.map((key) => key.split('/')[0])).toEqual(['one@x', 'one@x']);
  expect(kept).toMatchObject({ files: 2, others: [] });
});
