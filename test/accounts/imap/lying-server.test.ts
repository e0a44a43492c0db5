import { expect, it, onTestFinished } from 'vitest';
import { createImapSource } from '../../../src/accounts/imap/imap-source.ts';
import { openAccount } from '../support/run-account.ts';
import { HOST, PASSWORD, USER } from './dovecot.ts';
import { createMailbox, type FakeMailbox, serveMailbox } from './fake-mailbox.ts';
import { MemoryRun, makeContext, makeText, testNetwork } from './memory-run.ts';

const mails = Array.from({ length: 5 }, (_, n) => ({
  raw: makeText({ id: `${n}@x`, subject: `n${n}`, headers: n > 2 ? [`In-Reply-To: <${n - 1}@x>`] : [] }),
}));

async function openMailbox(box: FakeMailbox) {
  const settings = { user: USER, server: HOST, port: await serveMailbox(box) };
  const account = await openAccount('imap', settings, PASSWORD, testNetwork(), USER);
  onTestFinished(() => account.store.close());
  const read = () =>
    (account.store.read.raw.prepare('select data from records order by rid').pluck().all() as string[]).map(
      (data) => JSON.parse(data) as Record<string, unknown>,
    );
  return { ...account, read };
}

it('follows flags after change numbers went backwards', async () => {
  const box = { ...createMailbox(mails), modseq: 100 };
  const run = new MemoryRun();
  const context = makeContext(await serveMailbox(box));
  await run.sync(createImapSource(), context);
  expect(run.messages.map(({ is_unread }) => is_unread)).toEqual([true, true, true, true, true]);
  // As a server does that was restored from a backup: what happened since has smaller numbers again.
  box.modseq = 50;
  for (const mail of box.mails) mail.flags = '\\Seen';
  await run.sync(createImapSource(), context);
  expect(run.messages.map(({ is_unread }) => is_unread)).toEqual([false, false, false, false, false]);
});

it('keeps each mail once when UIDVALIDITY changes with every connection', async () => {
  const box = createMailbox(mails);
  box.onLogin = () => {
    box.uidValidity += 1;
  };
  const account = await openMailbox(box);
  expect(await account.sync()).toMatchObject({ state: 'synced', changes: { new: 8 } });
  const items = account.store.read.raw.prepare('select count(*) from account_items').pluck();
  const before = [account.read(), items.get()];
  for (let round = 0; round < 5; round++)
    expect(await account.sync()).toMatchObject({
      state: 'synced',
      changes: { new: 0, changed: 0, removed: 0 },
    });
  expect([account.read(), items.get()]).toEqual(before);
});

it('reads folders whose names have control characters and tricks of paths', async () => {
  const box = createMailbox(mails);
  box.folders = ['INBOX', '../../etc/passwd', 'a\u0001b', 'x\u0000y', '\u202Egpj', '&AAA-', '&broken'];
  const run = new MemoryRun();
  await run.sync(createImapSource(), makeContext(await serveMailbox(box)));
  expect(run.messages).toHaveLength(mails.length);
  expect(new Set(run.messages.map(({ folder }) => folder))).toEqual(new Set(['INBOX']));
  await run.sync(createImapSource(), makeContext(await serveMailbox(box)));
  expect(run.messages).toHaveLength(mails.length);
});

const nest = (depth: number): string =>
  depth === 0
    ? makeText({ subject: 'inner' })
    : `Subject: level ${depth}\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n${nest(depth - 1)}`;
const manyParts = (parts: number, name = (n: number) => `${n}.txt`): string =>
  [
    'Message-ID: <parts@x>',
    'Subject: parts',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...Array.from(
      { length: parts },
      (_, n) => `--b\nContent-Disposition: attachment; filename="${name(n)}"\n\n${n}`,
    ),
    '--b--',
    '',
  ].join('\n');
const deepParts = (depth: number): string =>
  `Subject: deep\nMIME-Version: 1.0\n${Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join('')}\n\nend`;

it.each([
  ['100,000 parts', manyParts(100_000)],
  ['9,000 parts', manyParts(9_000)],
  ['mails nested 200 deep', nest(200)],
  ['parts nested 5,000 deep', deepParts(5_000)],
  ['a header of 5 MB', `Subject: ${'x'.repeat(5_000_000)}\n\nbody`],
  ['a million recipients', `To: ${'a@b,'.repeat(1_000_000)}\nSubject: many\n\nbody`],
])('a mail with %s costs only itself', async (_name, raw) => {
  const box = createMailbox([{ raw }, ...mails]);
  const account = await openMailbox(box);
  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  expect(await account.sync()).toMatchObject({ state: 'synced' });
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20);
  const { messages = 0, attachments = 0 } = await account.count();
  expect(messages).toBeGreaterThanOrEqual(mails.length);
  expect(attachments).toBeLessThanOrEqual(1_000);
});

it('stores tricky file names as text', async () => {
  const names = ['../../../etc/passwd', 'C:\\\\windows\\\\x', 'a\u0007b', '.', '%2e%2e%2fx'];
  const account = await openMailbox(createMailbox([{ raw: manyParts(names.length, (n) => names[n] ?? '') }]));
  expect(await account.sync()).toMatchObject({ state: 'synced' });
  expect((await account.count()).attachments).toBe(names.length);
});
