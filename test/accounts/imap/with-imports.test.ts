import { afterAll, beforeAll, expect, it } from 'vitest';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { mailImporter } from '../../../src/sources/mail/mail-importer.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { makeInputFile } from '../../support/input-file.ts';
import { openTestStore } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { authority, Dovecot } from './dovecot.ts';
import { makeText } from './memory-run.ts';
import { addMailAccount, syncStore } from './open-account.ts';

const server = new Dovecot();
const mails = Array.from({ length: 60 }, (_, n) =>
  makeText({
    id: `${n}@x`,
    subject: `n${n}`,
    date: `Mon, 2 Mar 2026 10:00:${String(n).padStart(2, '0')} +0100`,
    headers: n % 3 === 0 ? [] : [`In-Reply-To: <${n - 1}@x>`],
  }),
);
beforeAll(async () => {
  await server.start();
  server.fill('INBOX', mails);
});
afterAll(() => server.remove());

const count = (store: SqliteStore) =>
  Object.fromEntries(
    (
      store.read.raw
        .prepare(
          'select connection_id, stream, count(*) as n from records join streams using (stream_id) group by 1, 2',
        )
        .all() as { stream: string; n: number }[]
    ).map(({ stream, n }) => [stream, n]),
  );
const threads = (store: SqliteStore) =>
  (
    store.read.raw
      .prepare(
        "select data from records join streams using (stream_id) where stream = 'threads' order by key",
      )
      .all() as { data: string }[]
  ).map(({ data }) => JSON.parse(data) as Record<string, unknown>);

async function importMbox(store: SqliteStore) {
  const mbox = mails
    .map((mail) => `From - Mon Mar 02 10:00:00 2026\nDelivered-To: anna@example.org\n${mail}\n`)
    .join('');
  const { found } = await recogniseInputs([mailImporter], [makeInputFile('INBOX', Buffer.from(mbox))]);
  const options = { timeZone: 'Europe/Berlin' };
  return runImport(store, found[0] as (typeof found)[0], { options, now: () => new Date() });
}

async function openAccount(): Promise<SqliteStore> {
  const store = await openTestStore(makeFolder());
  await addMailAccount(store, server.port);
  return store;
}

it.each(['the import comes first', 'the sync comes first'])(
  'stores each mail once when %s',
  async (order) => {
    const store = await openAccount();
    if (order === 'the import comes first') await importMbox(store);
    expect(await syncStore(store, authority.cert)).toMatchObject({ state: 'synced' });
    const { report } = await importMbox(store);
    expect(report.streams.messages).toMatchObject({ new: 0 });
    expect(await syncStore(store, authority.cert)).toMatchObject({ state: 'synced', changes: { new: 0 } });
    expect(count(store)).toEqual({ messages: 60, threads: 20 });
    expect(threads(store).every((thread) => thread.message_count === 3)).toBe(true);
    store.close();
  },
);

it('counts the mails of conversations, and forgets those without mails', async () => {
  const store = await openAccount();
  await syncStore(store, authority.cert);
  expect(threads(store).map(({ message_count }) => message_count)).toEqual(Array(20).fill(3));
  expect(threads(store)[0]).toMatchObject({ first_message_at: '2026-03-02T09:00:00Z', subject: 'n0' });
  await server.edit(async (client) => {
    await client.mailboxOpen('INBOX');
    await client.messageDelete('1:4', { uid: true });
  });
  await syncStore(store, authority.cert);
  const counts = new Map(threads(store).map(({ id, message_count }) => [id, message_count]));
  expect(counts.get('0@x')).toBeUndefined();
  expect(counts.get('3@x')).toBe(2);
  expect(count(store)).toEqual({ messages: 56, threads: 19 });
  store.close();
});
