import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { createDraw } from '../../support/draw.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { authority, Dovecot } from '../imap/dovecot.ts';
import { makeText } from '../imap/memory-run.ts';
import { awaitProgram, startProgram } from './run-program.ts';

const KILLS = Number(process.env.PDPP_TEST_KILLS ?? 100);
/** Loading the program takes about this long; the runs are killed after it. */
const START_MS = Number(process.env.PDPP_START_MS ?? 500);

/** A first guess. */
const FIRST_RUN_MS = 3_000;

it('loses and doubles no mail when it is killed a hundred times', async () => {
  const draw = createDraw(Number(process.env.PDPP_SEED ?? 1));
  const server = new Dovecot();
  onTestFinished(() => server.remove());
  const folder = makeFolder();
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  let last = 0;
  const more = (count: number) =>
    Array.from({ length: count }, () => {
      last += 1;
      const headers = last % 4 === 0 ? [] : [`In-Reply-To: <${last - 1}@x>`];
      return makeText({
        id: `${last}@x`,
        subject: `n${last}`,
        headers,
        text: 'word '.repeat(draw.upTo(2_000)),
      });
    });
  server.fill('INBOX', more(3_000));
  await server.start();
  const args = [join(folder, 'store'), String(server.port), caFile];
  let kills = 0;
  // How long a run takes that is not killed.
  let runMs = FIRST_RUN_MS;
  while (kills < KILLS) {
    const child = startProgram(args);
    const begun = performance.now();
    const ended = awaitProgram(child);
    await Promise.race([ended, sleep(START_MS + draw.upTo(Math.max(0, Math.round(runMs) - START_MS)))]);
    child.kill('SIGKILL');
    const wasKilled = (await ended) === undefined;
    if (wasKilled) kills += 1;
    else runMs = performance.now() - begun;
    // The mailbox goes on living, and there is something to sync in every run.
    if (!wasKilled) for (const mail of more(200)) server.deliver(mail);
    else if (kills % 5 === 0)
      await server.edit(async (client) => {
        for (const mail of more(20)) await client.append('INBOX', mail.replaceAll('\n', '\r\n'));
        await client.mailboxOpen('INBOX');
        await client.messageDelete(`${1 + draw.upTo(500)}:${500 + draw.upTo(100)}`);
        await client.messageMove('600:620', 'Archive');
        await client.messageFlagsAdd('700:750', ['\\Flagged', 'Work']);
      });
  }
  await awaitProgram(startProgram(args));
  const expected = await server.edit(async (client) => {
    const ids: string[] = [];
    for (const path of ['INBOX', 'Archive']) {
      await client.mailboxOpen(path);
      for await (const { envelope } of client.fetch('1:*', { envelope: true }))
        ids.push((envelope?.messageId ?? '').replace(/[<>]/g, ''));
    }
    return ids.sort();
  });
  const store = await openStore(join(folder, 'store'));
  onTestFinished(() => store.close());
  const { streams } = await loadCatalog(store.read);
  const messages = streams.filter(({ name }) => name === 'messages');
  expect(messages).toHaveLength(1);
  const keys = store.read.raw
    .prepare('select key from records where stream_id = ? order by key')
    .pluck()
    .all(messages[0]?.streamId) as string[];
  expect(keys.sort()).toEqual(expected);
});
