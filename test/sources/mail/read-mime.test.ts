import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseWithLibrary } from '../../../src/sources/mail/mime/parse-with-library.ts';
import { type Mail, readMime } from '../../../src/sources/mail/mime/read-mime.ts';
import { splitMbox } from '../../../src/sources/mail/split-mbox.ts';
import { listInputPaths } from '../../support/input-file.ts';
import { createDice, flipBytes } from '../contract/damage.ts';
import { makeMail } from './make-mail.ts';

const ROUNDS = 600;
const folders = [
  '../fixtures/mail/',
  '../fixtures/gmail/',
  '../../../../shared/samples/eml/',
  '../../../../shared/samples/gmail-mbox/',
];

/** What records are made of: of the headers the ones that are looked at, and a page only where there is no text. */
function essence({ headers, html, attachments, ...mail }: Mail, used: ReadonlySet<string>): unknown {
  return {
    ...mail,
    attachments: attachments.map(({ content, ...file }) => ({
      ...file,
      content: Buffer.from(content() ?? '').toString('base64'),
    })),
    headers: headers.filter(({ key }) => used.has(key)).map(({ key, value }) => ({ key, value })),
    html: (mail.text?.trim() ?? '') === '' ? html : undefined,
  };
}

/** Whether the mail is read without the library; fails where that gives something else. */
async function compare(raw: Buffer, hint: string): Promise<boolean> {
  const plain = readMime(raw);
  if (plain === undefined) return false;
  const used = new Set(plain.headers.map(({ key }) => key));
  expect(essence(plain, used), hint).toEqual(essence(await parseWithLibrary(raw), used));
  return true;
}

async function listMails(): Promise<Buffer[]> {
  const mails: Buffer[] = [];
  for (const folder of folders.map((path) => fileURLToPath(new URL(path, import.meta.url)))) {
    for (const path of existsSync(folder) ? listInputPaths(folder) : []) {
      const bytes = readFileSync(`${folder}${path}`);
      if (bytes.toString('latin1', 0, 5) !== 'From ') mails.push(bytes);
      else
        for await (const messages of splitMbox(
          (async function* () {
            yield bytes;
          })(),
        ))
          mails.push(...messages.map(({ raw }) => raw));
    }
  }
  return mails;
}

describe('a mail read without the library', () => {
  it('equals the library’s result for any parts', async () => {
    const dice = createDice(11);
    let plain = 0;
    for (let round = 0; round < ROUNDS; round++)
      if (await compare(makeMail(dice), `round ${round}`)) plain += 1;
    expect(plain).toBeGreaterThan(ROUNDS / 4);
  });

  it('equals the library’s result if truncated or damaged', async () => {
    const dice = createDice(12);
    let plain = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const mail = makeMail(dice);
      const torn = round % 2 === 0 ? mail.subarray(0, dice(mail.length + 1)) : flipBytes(mail, dice);
      if (await compare(Buffer.from(torn), `round ${round}`)) plain += 1;
    }
    expect(plain).toBeGreaterThan(ROUNDS / 4);
  });

  it('equals the library’s result for every fixture and sample, complete or truncated', async () => {
    const dice = createDice(13);
    const mails = await listMails();
    expect(mails.length).toBeGreaterThan(5);
    for (const [at, mail] of mails.entries()) {
      await compare(mail, `mail ${at}`);
      for (let round = 0; round < 20; round++)
        await compare(Buffer.from(mail.subarray(0, dice(mail.length + 1))), `mail ${at}, round ${round}`);
    }
  });

  it('passes nested mails, damaged base64 and continued names to the library', async () => {
    const mail = (headers: string, body = '') =>
      Buffer.from(`From: a@x.example\nSubject: s\n${headers}\n\n${body}`);
    for (const odd of [
      mail('Content-Type: message/rfc822', 'Subject: inner\n\nhello'),
      mail('Content-Type: application/pdf\nContent-Transfer-Encoding: base64', 'QUJD*QUJD'),
      mail("Content-Type: application/pdf; name*0*=utf-8''a%20; name*1=b.pdf"),
      mail('Content-Type: text/plain (a comment)', 'hello'),
    ]) {
      expect(readMime(odd)).toBeUndefined();
      expect(await parseWithLibrary(odd)).toMatchObject({ subject: 's' });
    }
  });
});
