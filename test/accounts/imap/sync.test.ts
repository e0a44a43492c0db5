import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createImapSource } from '../../../src/accounts/imap/imap-source.ts';
import { Dovecot, PLAIN_CAPABILITY } from './dovecot.ts';
import { MemoryRun, makeContext, makeText } from './memory-run.ts';

const source = createImapSource();

describe.each([
  ['with CONDSTORE', undefined],
  ['without extensions', PLAIN_CAPABILITY],
])('a mailbox %s', (_, capability) => {
  const server = new Dovecot(capability === undefined ? {} : { capability });
  let run: MemoryRun;
  const sync = (stopAfter?: number) => run.sync(source, makeContext(server.port), stopAfter);

  beforeAll(() => server.start());
  afterAll(() => server.remove());
  beforeEach(async () => {
    run = new MemoryRun();
    await server.edit(async (client) => {
      for (const { path, specialUse, flags } of await client.list())
        if (
          path !== 'INBOX' &&
          specialUse === undefined &&
          !flags.has('\\Noselect') &&
          !flags.has('\\NonExistent')
        )
          await client.mailboxDelete(path);
      for (const path of ['INBOX', 'Sent', 'Archive', 'Trash']) {
        await client.mailboxOpen(path);
        await client.messageDelete('1:*');
      }
    });
  });

  it('lists folders and reads all mails', async () => {
    await server.append('INBOX', makeText({ id: 'a@x', subject: 'One' }), ['\\Seen']);
    await server.append('INBOX', makeText({ id: 'b@x', subject: 'Two' }));
    await server.append('Trash', makeText({ id: 'c@x', subject: 'Thrown away' }));
    const { account, collections } = await source.check(makeContext(server.port));
    expect(account).toBe('anna@example.org');
    expect(collections.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([
      'INBOX',
      'Sent',
      'Archive',
    ]);
    await sync();
    expect(run.messages.map(({ subject, is_unread, folder }) => [subject, is_unread, folder])).toEqual([
      ['Two', true, 'INBOX'],
      ['One', false, 'INBOX'],
    ]);
    expect(run.threads).toHaveLength(2);
    expect(run.problems).toEqual([]);
    const { puts } = run;
    await sync();
    expect(run.puts).toBe(puts);
  });

  it('follows new mails, flags, keywords, deletions and moves', async () => {
    for (const name of ['a', 'b', 'c'])
      await server.append('INBOX', makeText({ id: `${name}@x`, subject: name }));
    await sync();
    await server.append('INBOX', makeText({ id: 'd@x', subject: 'd' }));
    await server.edit(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageFlagsAdd('1', ['\\Seen', 'Family']);
      await client.messageMove('2', 'Archive');
      await client.messageDelete('2');
    });
    await sync();
    expect(
      Object.fromEntries(
        run.messages.map(({ subject, folder, is_unread, labels }) => [subject, [folder, is_unread, labels]]),
      ),
    ).toEqual({
      a: ['INBOX', false, ['Family']],
      b: ['Archive', true, undefined],
      d: ['INBOX', true, undefined],
    });
    await server.edit(async (client) => {
      await client.mailboxOpen('Archive');
      await client.messageMove('1', 'INBOX');
      await client.mailboxOpen('INBOX');
      await client.messageFlagsRemove('1', ['\\Seen', 'Family']);
    });
    await sync();
    expect(run.find('b')).toMatchObject([{ folder: 'INBOX' }]);
    expect(run.find('a')).toMatchObject([{ is_unread: true }]);
    expect(run.find('a')[0]?.labels).toBeUndefined();
    const { puts } = run;
    await sync();
    expect(run.puts).toBe(puts);
  });

  it('keeps one record of a mail in two folders', async () => {
    await server.append('INBOX', makeText({ id: 'a@x', subject: 'Copy' }));
    await server.append('Archive', makeText({ id: 'a@x', subject: 'Copy' }));
    await sync();
    expect(run.messages).toMatchObject([{ subject: 'Copy', folder: 'INBOX' }]);
    await server.edit(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageDelete('1:*');
    });
    await sync();
    expect(run.messages).toHaveLength(1);
    await server.edit(async (client) => {
      await client.mailboxOpen('Archive');
      await client.messageDelete('1:*');
    });
    await sync();
    expect(run.records.size).toBe(0);
  });

  it('keeps mails apart that share an id', async () => {
    await server.append('INBOX', makeText({ id: 'a@x', subject: 'Original' }));
    await server.append('INBOX', makeText({ id: 'a@x', subject: '[list] Original' }));
    await sync();
    expect(run.messages.map(({ subject }) => subject).sort()).toEqual(['Original', '[list] Original']);
    const { puts } = run;
    await sync();
    expect(run.puts).toBe(puts);
  });

  it('continues after an interruption', async () => {
    for (let n = 0; n < 450; n += 150)
      await server.edit(async (client) => {
        for (let i = n; i < n + 150; i += 1)
          await client.append('INBOX', makeText({ id: `${i}@x`, subject: `n${i}` }).replaceAll('\n', '\r\n'));
      });
    await sync(2);
    expect(run.messages.length).toBeGreaterThan(100);
    expect(run.messages.length).toBeLessThan(450);
    expect(run.find('n449')).toHaveLength(1);
    expect(run.find('n0')).toHaveLength(0);
    const { puts } = run;
    await server.append('INBOX', makeText({ id: 'new@x', subject: 'new' }));
    await sync();
    expect(run.messages).toHaveLength(451);
    expect(run.puts - puts).toBe(451 - puts);
  });

  it('reads a folder again when its UIDs change, without losing or doubling a record', async () => {
    await server.edit((client) => client.mailboxCreate('Work/Invoices'));
    for (const name of ['a', 'b'])
      await server.append('Work/Invoices', makeText({ id: `${name}@x`, subject: name }));
    await sync();
    expect(run.messages.map(({ folder }) => folder)).toEqual(['Work/Invoices', 'Work/Invoices']);
    await server.edit(async (client) => {
      await client.mailboxDelete('Work/Invoices');
      await client.mailboxCreate('Work/Invoices');
    });
    await server.append('Work/Invoices', makeText({ id: 'a@x', subject: 'a' }));
    await sync(1);
    expect(run.messages).toHaveLength(2);
    await sync();
    expect(run.messages).toMatchObject([{ subject: 'a' }]);
  });

  it('follows renamed and deleted folders', async () => {
    await server.edit((client) => client.mailboxCreate('Old'));
    await server.append('Old', makeText({ id: 'a@x', subject: 'a' }));
    await sync();
    await server.edit((client) => client.mailboxRename('Old', 'New'));
    await sync();
    await sync();
    expect(run.messages).toMatchObject([{ subject: 'a', folder: 'New' }]);
    await server.edit((client) => client.mailboxDelete('New'));
    await sync();
    expect(run.messages).toHaveLength(1);
    await sync();
    expect(run.messages).toEqual([]);
  });

  it('moves answers into the conversation when the mail they answer comes later', async () => {
    const reply = (id: string, to: string) =>
      makeText({ id, subject: `Re: ${id}`, headers: [`In-Reply-To: <${to}>`] });
    await server.append('INBOX', makeText({ id: 'a@x', subject: 'a' }));
    await server.append('INBOX', reply('b@x', 'a@x'));
    await server.append('INBOX', reply('c@x', 'b@x'));
    await server.append('INBOX', reply('d@x', 'c@x'));
    await sync();
    expect(new Set(run.messages.map(({ thread_id }) => thread_id))).toEqual(new Set(['a@x']));
    expect(run.threads).toMatchObject([{ id: 'a@x' }]);
  });
});
