import { afterAll, beforeAll, expect, it } from 'vitest';
import { createImapSource } from '../../../src/accounts/imap/imap-source.ts';
import { mailImporter } from '../../../src/sources/mail/mail-importer.ts';
import { importAll } from '../../sources/import-export.ts';
import { makeMail } from '../../sources/mail/make-mail.ts';
import { makeInputFile } from '../../support/input-file.ts';
import { Dovecot } from './dovecot.ts';
import { MemoryRun, makeContext, makeText } from './memory-run.ts';

const server = new Dovecot();
beforeAll(() => server.start());
afterAll(() => server.remove());

/** Random numbers that are the same in every run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const dice = createDice(7);
/** Mails as programs write them, answers with and without References, mails without an id, and copies. */
const mails = [
  ...Array.from({ length: 150 }, (_, n) =>
    makeMail(dice)
      .toString('latin1')
      .replaceAll('\r\n', '\n')
      .replace(/Message-ID: <\d+@/, n % 10 === 0 ? `X-Number: <${n}@` : `Message-ID: <${n}@`),
  ),
  makeText({ id: 'root@x', subject: 'Root' }),
  makeText({ id: 'one@x', subject: 'Re: Root', headers: ['In-Reply-To: <root@x>'] }),
  makeText({ id: 'two@x', subject: 'Re: Re: Root', headers: ['In-Reply-To: <one@x>'] }),
  makeText({
    id: 'three@x',
    subject: 'Re: Root',
    headers: ['In-Reply-To: <two@x>', 'References: <root@x> <one@x> <two@x>'],
  }),
  makeText({ id: 'four@x', subject: 'Re: Root', headers: ['In-Reply-To: <three@x>'] }),
  makeText({ id: 'five@x', subject: 'Re: Root', headers: ['In-Reply-To: <four@x>'] }),
  makeText({ subject: 'Without id' }),
  makeText({ id: 'copy@x', subject: 'Copy' }),
  makeText({ id: 'copy@x', subject: 'Copy' }),
  makeText({ id: 'own@x', subject: 'Own', from: 'Anna <anna@example.org>', to: 'ben@example.net' }),
].map((mail) => (mail.endsWith('\n') ? mail : `${mail}\n`));

const plain = (records: readonly Record<string, unknown>[]) =>
  new Map(records.map(({ is_unread, ...data }) => [data.id, data]));

it('gives the records of an mbox import of the same mailbox', async () => {
  server.fill('INBOX', mails);
  const run = new MemoryRun();
  await run.sync(createImapSource(), makeContext(server.port));

  const quoted = mails.map((mail) => mail.replace(/^(>*From )/gm, '>$1'));
  const mbox = quoted.map((mail) => `From - Mon Mar 02 10:00:00 2026\n${mail}\n`).join('');
  const imported = await importAll(mailImporter, [makeInputFile('INBOX', Buffer.from(mbox, 'latin1'))]);

  const [synced, expected] = [plain(run.messages), plain(imported.records.messages ?? [])];
  expect(expected.size).toBe(mails.length - 1);
  expect([...synced.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [id, data] of expected) {
    const { sent_at, is_from_me, ...rest } = data;
    expect(synced.get(id), String(id)).toMatchObject(rest);
    // Without a date, the time of arrival counts, which only the server knows.
    if (sent_at !== '2026-03-02T10:00:00Z') expect(synced.get(id)?.sent_at, String(id)).toBe(sent_at);
  }
  expect(synced.get('own@x')?.is_from_me).toBe(true);
  expect(new Set(run.threads.map(({ id }) => id))).toEqual(
    new Set(imported.records.threads?.map(({ id }) => id)),
  );
});
