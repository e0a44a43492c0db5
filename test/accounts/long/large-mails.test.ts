import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { words } from '../../../bench/import/make-words.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { authority, Dovecot } from '../imap/dovecot.ts';
import { makeText } from '../imap/memory-run.ts';
import { awaitProgram, type Cost, startProgram } from './run-program.ts';

const MAILS = 60;
const MEGABYTE = 2 ** 20;
/** Measured: 400. All mails together are 650 MB. */
const MAX_PEAK_MB = 500;

const TEXT = Array.from({ length: 20_000 }, (_, n) => `${words(n, 11)}\n`).join('');
const fill = (megabytes: number) =>
  TEXT.repeat(Math.ceil((megabytes * MEGABYTE) / TEXT.length)).slice(0, megabytes * MEGABYTE);

const html = (text: string) =>
  `MIME-Version: 1.0\nContent-Type: text/html\n\n<html><body>${text}</body></html>\n`;
const file = (text: string) =>
  [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="x"',
    '\n--x\nContent-Type: text/plain\n\nSee the file.',
    '--x\nContent-Type: text/plain; name="a.txt"\nContent-Disposition: attachment; filename="a.txt"',
    `Content-Transfer-Encoding: base64\n\n${Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n')}`,
    '--x--\n',
  ].join('\n');

it('syncs mails of 10 and 50 MB in memory for a few of them', async () => {
  const server = new Dovecot();
  onTestFinished(() => server.remove());
  const caFile = join(makeFolder(), 'ca.pem');
  writeFileSync(caFile, authority.cert);
  const contents = [fill(10), html(fill(10)), file(fill(7))];
  const makeMails = function* () {
    yield withHeaders('largest', file(fill(37)));
    for (let n = 0; n < MAILS; n += 1) yield withHeaders(`mail-${n}`, contents[n % 3] as string);
  };
  server.fill('INBOX', makeMails());
  await server.start();
  const args = [join(makeFolder(), 'store'), String(server.port), caFile];
  const synced = (await awaitProgram(startProgram(args))) as Cost;
  process.stdout.write(`${JSON.stringify(synced)}\n`);
  // Each mail with a file has a third record.
  expect(synced.records).toBe(2 * (MAILS + 1) + MAILS / 3 + 1);
  expect(synced.peakMb).toBeLessThan(MAX_PEAK_MB);
});

/** A content that brings MIME headers replaces the plain text. */
function withHeaders(id: string, content: string): string {
  const [head = ''] = makeText({ id: `${id}@x`, subject: id }).split('MIME-Version');
  return content.startsWith('MIME-Version') ? `${head}${content}` : `${head}\n${content}`;
}
