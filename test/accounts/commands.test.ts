import { describe, expect, it } from 'vitest';
import { accountKinds, loadSource } from '../../src/accounts/sources.ts';
import { accountOptions } from '../../src/cli/table/option.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { accountRow } from '../support/accounts/account-row.ts';
import { tapCommand, writeConfig } from '../support/accounts/account-world.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

async function readAccounts(folder: string) {
  const store = await openStore(folder);
  const rows = await store.write.accounts.list();
  store.close();
  return rows;
}

describe('pdpp account', () => {
  it('adds, lists, syncs, pauses, resumes, edits and removes an account', async () => {
    const folder = makeFolder();
    const config = writeConfig(folder, 'config', { orders: 3 });
    const run = async (...args: string[]) => {
      const { code, out, err } = await runCli([...args, '--data', `${folder}/data`, '--json']);
      return { code, err, json: out === '' ? undefined : (JSON.parse(out) as never) };
    };
    const added = await run(
      'account',
      'add',
      'tap',
      '--command',
      tapCommand('orders-tap'),
      '--name',
      'orders-tap',
      '--config',
      config,
    );
    expect(added).toMatchObject({ code: 0, json: { account: 'orders-tap', state: 'new' } });
    const twice = await run(
      'account',
      'add',
      'tap',
      '--command',
      tapCommand('orders-tap'),
      '--name',
      'orders-tap',
      '--config',
      config,
    );
    expect(twice).toMatchObject({ code: 2 });
    expect(await run('account', 'sync', 'orders-tap')).toMatchObject({
      code: 0,
      json: [{ outcome: { state: 'synced', changes: { new: 3 } } }],
    });
    expect(await run('account', 'pause', 'orders-tap')).toMatchObject({ json: { state: 'paused' } });
    expect(await run('account', 'resume', 'orders-tap')).toMatchObject({ json: { state: 'ok' } });
    expect(await run('account', 'edit', 'orders-tap', '--interval', '60')).toMatchObject({
      json: { interval_seconds: 3_600 },
    });
    expect(await run('account', 'list')).toMatchObject({ json: [{ account: 'orders-tap', kind: 'tap' }] });
    expect(await run('account', 'remove', 'orders-tap')).toMatchObject({ code: 0 });
    expect(await run('account', 'sync', 'orders-tap')).toMatchObject({ code: 4 });
    expect(await run('connection', 'list')).toMatchObject({ json: [{ streams: { orders: 3 } }] });
  });

  it('refuses wrong kinds, wrong flags and missing passwords with a sentence', async () => {
    const data = ['--data', makeFolder()];
    const kind = await runCli(['account', 'add', 'pigeon', ...data]);
    expect(kind).toMatchObject({ code: 2, err: expect.stringContaining('KIND must be one of: imap') });
    const flag = await runCli(['account', 'add', 'imap', '--user', 'a@example.org', '--url', 'x', ...data]);
    expect(flag).toMatchObject({ code: 2, err: expect.stringContaining('--url does not apply to imap') });
    const password = await runCli(['account', 'add', 'imap', '--user', 'a@gmail.com', ...data]);
    expect(password).toMatchObject({ code: 2, err: expect.stringContaining('Password is missing') });
  });

  it('changes whether the files of a mail account are kept', async () => {
    const folder = `${makeFolder()}/data`;
    const store = await openStore(folder);
    await store.write.accounts.add(
      accountRow({ kind: 'imap', account: 'anna@example.org', settings: '{"user":"anna@example.org"}' }),
    );
    store.close();
    const edit = async (...args: string[]) => {
      const { code, out, err } = await runCli([
        'account',
        'edit',
        'anna@example.org',
        ...args,
        '--data',
        folder,
        '--json',
      ]);
      return { code, err, json: out === '' ? undefined : (JSON.parse(out) as never) };
    };
    expect(await edit('--keep-files', 'yes')).toMatchObject({ code: 0, json: { keeps_files: true } });
    expect(await edit('--interval', '60')).toMatchObject({ json: { keeps_files: true } });
    expect(await edit('--keep-files', 'no')).toMatchObject({ json: { keeps_files: false } });
    const { settings } = (await readAccounts(folder))[0] ?? {};
    expect(settings).toBe('{"user":"anna@example.org"}');
    expect(await edit('--keep-files', 'perhaps')).toMatchObject({ code: 2 });
    const args = ['--url', 'https://example.org/a.ics', '--keep-files', '--data', folder];
    const feed = await runCli(['account', 'add', 'feed', ...args]);
    expect(feed).toMatchObject({
      code: 2,
      err: expect.stringContaining('--keep-files does not apply to feed'),
    });
  });

  it('has a flag for every setting of every kind', async () => {
    for (const kind of accountKinds)
      for (const { name, type } of (await loadSource(kind)).fields)
        if (type !== 'secret') expect(Object.keys(accountOptions), kind).toContain(name);
  });
});
