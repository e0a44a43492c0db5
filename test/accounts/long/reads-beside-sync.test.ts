import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeMail } from '../../../bench/import/make-mail.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { addAccount, connectApp, readAccount, startBoth } from '../support/served-account.ts';

const STORED = 5_000;
const MAILS = Number(process.env.PDPP_TEST_MAILS ?? 30_000);
/** The p99 of fewer calls is mostly chance. */
const CALLS = 1_500;
const MAX_RATIO = Number(process.env.PDPP_TEST_RATIO ?? 1.2);

/** The time of each call, in milliseconds. */
async function read(app: Awaited<ReturnType<typeof connectApp>>, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const begun = performance.now();
    const { isError } = await app.callTool({
      name: 'query_records',
      arguments: { stream: 'messages', limit: 25, sort: call % 2 === 0 ? '-sent_at' : 'sent_at' },
    });
    times.push(performance.now() - begun);
    expect(isError).not.toBe(true);
  }
  return times;
}

const at = (times: readonly number[], share: number) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * share)] as number;

it('reads are as fast while a mailbox is synced for the first time', async () => {
  const { mail, server } = await startBoth();
  const mbox = join(makeFolder(), 'stored.mbox');
  writeFileSync(mbox, Array.from({ length: STORED }, (_, n) => makeMail(n)).join(''), 'latin1');
  expect(await server.cli('import', mbox)).toMatchObject({ code: 0 });
  const { out } = await server.cli('connection', 'list', '--json');
  const app = await connectApp(
    server,
    (JSON.parse(out) as { connection_id: string }[])[0]?.connection_id ?? '',
  );
  await read(app, CALLS);
  const idle = await read(app, CALLS);
  mail.fill(
    'INBOX',
    Array.from({ length: MAILS }, (_, n) =>
      makeMail(n)
        .replaceAll('\r\n', '\n')
        .replace(/^From .*\n/, '')
        .replace(/^X-G.*\n/gm, ''),
    ),
  );
  await addAccount(server, mail, '--interval', '60');
  await expect.poll(() => readAccount(server), { timeout: 60_000 }).toMatchObject({ state: 'syncing' });
  const busy = await read(app, CALLS);
  // It ran all the time.
  expect(await readAccount(server)).toMatchObject({ state: 'syncing' });
  const figures = [idle, busy].map((times) =>
    [0.5, 0.95, 0.99].map((share) => Number(at(times, share).toFixed(1))),
  );
  process.stdout.write(`${JSON.stringify({ idle: figures[0], busy: figures[1] })}\n`);
  expect(at(busy, 0.99)).toBeLessThan(MAX_RATIO * at(idle, 0.99));
});
