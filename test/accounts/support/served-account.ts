import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { type RunningServer, startServer } from '../../browser/running-server.ts';
import { connectOverHttp } from '../../support/mcp-clients.ts';
import { runCli } from '../../support/run-cli.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { makeCertificate } from '../../support/tls/make-certificate.ts';
import { authority, Dovecot, PASSWORD, USER } from '../imap/dovecot.ts';
import { makeText } from '../imap/memory-run.ts';

const HOST = '127.0.0.1';
/** Loading the programs takes its time on a busy machine. */
const WAIT_MS = 60_000;

const trustIn = ({ folder }: Dovecot) => ({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') });

/** Tests read more often than an app may. */
const UNLIMITED = { PDPP_CALLS_PER_MINUTE: '0', PDPP_WORK_PER_MINUTE: '0' };

/** A mail server, and a running pdpp that trusts it. Both are real processes. */
export async function startBoth(): Promise<{ mail: Dovecot; server: RunningServer }> {
  const mail = new Dovecot({ certificate: makeCertificate({ names: [HOST], issuer: authority }) });
  onTestFinished(() => mail.remove());
  writeFileSync(join(mail.folder, 'authority.pem'), authority.cert);
  await mail.start();
  const server = await startServer({ ...trustIn(mail), ...UNLIMITED });
  onTestFinished(() => server.stop());
  return { mail, server };
}

/** Adds the mail account on the command line, as the owner does. */
export async function addAccount(server: RunningServer, mail: Dovecot, ...more: string[]): Promise<void> {
  const secret = join(makeFolder(), 'password');
  writeFileSync(secret, PASSWORD);
  const settings = ['--user', USER, '--server', HOST, '--port', String(mail.port), '--private-network'];
  const args = ['account', 'add', 'imap', ...settings, '--password-file', secret, ...more];
  const { code, err } = await runCli([...args, '--data', server.folder], { environment: trustIn(mail) });
  expect([code, err]).toEqual([0, '']);
}

/** Returns the account as `pdpp account list` shows it. */
export async function readAccount(server: RunningServer) {
  const { out } = await server.cli('account', 'list', '--json');
  return (JSON.parse(out) as { state: string; connection_id: string | null }[])[0];
}

/** An app that may read everything that is stored now. */
export async function connectApp(server: RunningServer, connection: string) {
  const { out } = await server.cli('grant', 'create', '--client', 'Reader', '--allow', connection, '--json');
  return connectOverHttp(`${server.origin}/mcp`, (JSON.parse(out) as { token: string }).token);
}

/** A synced account with one mail, and an app that searches it. */
export async function openServedAccount(...options: string[]) {
  const { mail, server } = await startBoth();
  mail.fill('INBOX', [makeText({ id: 'first@x', subject: 'The first letter' })]);
  await addAccount(server, mail, ...options);
  await expect
    .poll(async () => readAccount(server), { timeout: WAIT_MS, interval: 500 })
    .toMatchObject({ state: 'ok', connection_id: expect.any(String) });
  const app = await connectApp(server, (await readAccount(server))?.connection_id as string);
  /** Delivers a mail, and returns after how long `search` finds it. */
  const deliver = async (word: string, maxMs: number): Promise<number> => {
    mail.deliver(makeText({ id: `${word}@x`, subject: `About a ${word}` }));
    const deliveredAt = performance.now();
    for (;;) {
      const { structuredContent } = await app.callTool({ name: 'search', arguments: { query: word } });
      const ms = performance.now() - deliveredAt;
      if (JSON.stringify(structuredContent).includes(`About a <mark>${word}`)) return ms;
      if (ms > maxMs) return ms;
      await sleep(200);
    }
  };
  return { deliver };
}
