import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeMail } from '../../../bench/import/make-mail.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { authority, Dovecot } from '../imap/dovecot.ts';
import { awaitProgram, type Cost, startProgram } from './run-program.ts';

const MAILS = Number(process.env.PDPP_TEST_MAILS ?? 50_000);
/** Measured: 275 to 285. */
const MAX_PEAK_MB = 350;
/** Measured: 0.53 (3,585 against 6,723 records per CPU second), attachments included. A busy machine costs up to 0.04. */
const MIN_SPEED = 0.5;

it('syncs a mailbox of 50,000 mails in little memory, at least half as fast as it imports them', async () => {
  const server = new Dovecot();
  onTestFinished(() => server.remove());
  const folder = makeFolder();
  const mails = Array.from({ length: MAILS }, (_, n) => makeMail(n).replaceAll('\r\n', '\n'));
  const mbox = join(folder, 'INBOX.mbox');
  // The conversations of Gmail, which other servers do not have, are left out of both.
  const plain = mails.map((mail) => mail.replace(/^X-G.*\n/gm, ''));
  writeFileSync(mbox, plain.join(''), 'latin1');
  server.fill(
    'INBOX',
    plain.map((mail) => mail.replace(/^From .*\n/, '').replace(/\n$/, '')),
  );
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  await server.start();
  const run = (args: string[]) => awaitProgram(startProgram(args)) as Promise<Cost>;
  const synced = await run([join(folder, 'synced'), String(server.port), caFile]);
  const imported = await run([join(folder, 'imported'), mbox]);
  process.stdout.write(`${JSON.stringify({ synced, imported })}\n`);
  expect(synced.records).toBe(imported.records);
  expect(synced.peakMb).toBeLessThan(MAX_PEAK_MB);
  expect(synced.records / synced.seconds).toBeGreaterThan(MIN_SPEED * (imported.records / imported.seconds));
});
