import { expect, it } from 'vitest';
import { createImapSource } from '../../../src/accounts/imap/imap-source.ts';
import { gmailImporter } from '../../../src/sources/gmail/gmail-importer.ts';
import { importAll } from '../../sources/import-export.ts';
import { makeInputFile } from '../../support/input-file.ts';
import { type Answer, listNumbers, serveImap } from './fake-server.ts';
import { MemoryRun, makeContext, makeText } from './memory-run.ts';

const mail = (n: number) =>
  makeText({
    id: `${n}@x`,
    subject: `n${n}`,
    from: n === 2 ? 'Anna <anna@gmail.com>' : 'Ben <ben@example.net>',
    headers: n === 2 ? ['In-Reply-To: <1@x>'] : [],
  }).replaceAll('\n', '\r\n');
const LABELS = ['"\\\\Inbox" "\\\\Important" Work', '"\\\\Sent"'];
const TAKEOUT = ['Inbox,Important,Work,Unread', 'Sent,Opened'];

/** Answers as Gmail does: one mailbox with every mail, and labels. */
const answerAsGmail: Answer = (socket, tag, text) => {
  const status = (name: string) => `* STATUS "${name}" (MESSAGES 2 UIDNEXT 3 UIDVALIDITY 1)\r\n`;
  if (/^LIST .*"\*"/.test(text)) {
    const all = '[Gmail]/All Mail';
    socket.write(
      `* LIST () "/" INBOX\r\n* LIST (\\All) "/" "${all}"\r\n* LIST (\\Trash) "/" "[Gmail]/Trash"\r\n`,
    );
    socket.write(
      `* LIST () "/" Work\r\n${status('INBOX')}${status(all)}${status('[Gmail]/Trash')}${status('Work')}`,
    );
    socket.write(`${tag} OK done\r\n`);
    return true;
  }
  if (text === 'LIST "" ""') {
    socket.write(`* LIST (\\Noselect) "/" ""\r\n${tag} OK done\r\n`);
    return true;
  }
  if (text.startsWith('EXAMINE')) {
    socket.write('* 2 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 3] x\r\n');
    socket.write(`${tag} OK [READ-ONLY] done\r\n`);
    return true;
  }
  if (!/FETCH/.test(text)) return false;
  for (const n of listNumbers(text)) {
    const facts = `UID ${n} FLAGS (${n === 1 ? '' : '\\Seen'}) X-GM-LABELS (${LABELS[n - 1]})`;
    const ids = `X-GM-THRID 1278455344230334865 X-GM-MSGID ${n} RFC822.SIZE ${mail(n).length}`;
    const body = `BODY[]<0> {${mail(n).length}}\r\n${mail(n)}`;
    socket.write(`* ${n} FETCH (${facts} ${ids}${/BODY/.test(text) ? ` ${body}` : ''})\r\n`);
  }
  socket.write(`${tag} OK done\r\n`);
  return true;
};

it('reads every mail of Gmail once, with the records of a Takeout export', async () => {
  const source = createImapSource();
  const capability = 'CAPABILITY IMAP4rev1 X-GM-EXT-1 SPECIAL-USE LIST-STATUS LIST-EXTENDED';
  const port = await serveImap({ capability, answer: answerAsGmail });
  const context = makeContext(port, { settings: { user: 'anna@gmail.com', port } });
  expect((await source.plan({ ...context, state: undefined })).declaration.connector_key).toBe('gmail');
  const { collections } = await source.check(context);
  expect(collections.map(({ id, isDefault }) => [id, isDefault])).toEqual([
    ['[Gmail]/All Mail', true],
    ['[Gmail]/Trash', false],
  ]);
  const run = new MemoryRun();
  await run.sync(source, context);

  const mbox = [1, 2]
    .map((n) => {
      const head = `X-GM-THRID: 1278455344230334865\r\nX-Gmail-Labels: ${TAKEOUT[n - 1]}\r\n`;
      return `From ${n}@xxx Mon Mar 02 09:00:00 +0000 2026\r\n${head}${mail(n)}\r\n`;
    })
    .join('');
  const imported = await importAll(gmailImporter, [makeInputFile('All Mail.mbox', Buffer.from(mbox))]);
  const byId = (records: readonly Record<string, unknown>[]) =>
    [...records].sort((one, other) => String(one.id).localeCompare(String(other.id)));
  expect(byId(run.messages)).toEqual(byId(imported.records.messages ?? []));
  expect(run.threads.map(({ id }) => id)).toEqual(['1278455344230334865']);
});
