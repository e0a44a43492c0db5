import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../src/audit/events.ts';
import { accountView, createScriptedAccounts, wrongPassword } from '../support/accounts/scripted-accounts.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld, ORIGIN } from '../support/world.ts';

const accounts = createScriptedAccounts();
const world = await useWorld(createWorld({ clock: 'real', accounts: accounts.service }));
const owner = await createOwnerBrowser(world);
const stored = await useWorld(createDiaryWorld({ clock: 'real', accounts: accounts.service }));
const storedOwner = await createOwnerBrowser(stored);

const PASSWORD = 'tiger <"&\'> umbrella 42';
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const settings = { server: 'mail.example.org', user: 'anna', password: PASSWORD };
const open = async (path: string) => (await owner.open(path)).text;
const readJson = async (path: string) => JSON.parse(await open(path)) as Record<string, unknown>;
const openForm = () => owner.open('/dashboard/accounts/new/imap');

/** Whether a text has the password in any of the forms in which a page could show it. */
const showsPassword = (text: string) =>
  [PASSWORD, 'tiger', 'umbrella', Buffer.from(PASSWORD).toString('base64').slice(0, 12)].some((part) =>
    text.includes(part),
  );

describe('adding an account', () => {
  it('lists the kinds, and names the command of a kind that pages cannot add', async () => {
    const text = await open('/dashboard/accounts/new');
    expect(text).toContain('href="/dashboard/accounts/new/imap"');
    expect(text).toMatch(/pdpp account add tap .*--command tap-github/);
    expect(text).not.toContain('/new/tap');
    expect((await owner.send('/dashboard/accounts/new/tap')).status).toBe(404);
    expect(await readJson('/dashboard/accounts/new.json')).toMatchObject({
      kinds: [
        { kind: 'imap', presets: [{ id: 'gmail' }, ...new Array(7).fill({})] },
        { kind: 'feed', presets: [{ id: 'google-calendar' }, {}] },
      ],
    });
  });

  it('tests the connection, then saves what the owner chose', async () => {
    accounts.succeed();
    const choice = await owner.submit(await openForm(), { ...settings, port: '1993' });
    expect(choice.text).toContain('The connection works');
    expect(choice.text).toContain('1,234 items');
    expect(accounts.orders.map(({ step }) => step)).toEqual(['check']);
    const added = await owner.submit(choice, { collection: ['INBOX', 'Spam'] });
    expect(added.url).toBe(`${ORIGIN}/dashboard/accounts/mail_1?done=added`);
    expect(accounts.orders.at(-1)).toEqual({
      step: 'add',
      order: {
        kind: 'imap',
        settings: { server: 'mail.example.org', user: 'anna', port: 1993 },
        secret: PASSWORD,
        allowsPrivate: false,
        collections: ['INBOX', 'Spam'],
      },
    });
  });

  it('keeps attached files only if the owner ticks it', async () => {
    accounts.succeed();
    const form = await openForm();
    expect(form.text).toMatch(/<input type="checkbox" value="yes"[^>]*name="keep-files"/);
    await owner.submit(form, { ...settings, 'keep-files': 'yes' });
    expect(accounts.orders.at(-1)?.order.settings).toMatchObject({ 'keep-files': true });
    await owner.submit(form, settings);
    expect(accounts.orders.at(-1)?.order.settings).not.toHaveProperty('keep-files');
  });

  it('shows a problem at the wrong field, and fills every field but the password again', async () => {
    accounts.answer(() => ({ state: 'failed', problem: wrongPassword }));
    const hostile = '"><script>alert(1)</script>';
    const page = await owner.submit(await openForm(), {
      ...settings,
      server: hostile,
      skip: 'a@example.org\nb@example.org',
      allows_private: 'yes',
    });
    expect(page.status).toBe(400);
    expect(page.text).toMatch(
      /id="setting-password-problem">The server refused the user name or the password\. Check both/,
    );
    expect(page.text).toMatch(/<input type="password"[^>]*aria-invalid="true"/);
    expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;');
    expect(page.text).toContain('a@example.org\nb@example.org');
    expect(page.text).toMatch(/name="allows_private" value="yes" checked/);
    expect(showsPassword(page.text)).toBe(false);
  });

  it.each([
    ['credentials', 'setting-password-problem'],
    ['unreachable', 'setting-server-problem'],
    ['certificate', 'setting-server-problem'],
    ['private_address', 'allows-private-problem'],
  ] as const)('shows %s at its field', async (code, id) => {
    accounts.answer(() => ({ state: 'failed', problem: { code, message: 'Wrong.', fix: 'Mend it.' } }));
    const { text } = await owner.submit(await openForm(), settings);
    expect(text).toContain(`id="${id}">Wrong. Mend it.</p>`);
    accounts.succeed();
  });

  it('asks for a missing field without asking the server', async () => {
    const before = accounts.orders.length;
    const page = await owner.submit(await openForm(), { ...settings, user: ' ' });
    expect([page.status, accounts.orders.length]).toEqual([400, before]);
    expect(page.text).toContain('id="setting-user-problem">Enter a value for User name.</p>');
  });

  it('carries the password encrypted, for one session and half an hour', async () => {
    const choice = await owner.submit(await openForm(), settings);
    const [, draft = ''] = /name="draft" value="([^"]+)"/.exec(choice.text) ?? [];
    expect(draft).not.toBe('');
    expect(showsPassword(Buffer.from(draft, 'base64url').toString('latin1'))).toBe(false);
    const before = accounts.orders.length;
    const other = await createOwnerBrowser(world);
    const page = await other.open('/dashboard/accounts/new/imap');
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
    const refused = await other.send('/dashboard/accounts', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: ORIGIN,
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams({ csrf, draft }).toString(),
    });
    expect(refused.status).toBe(410);
    const changed = `${draft.slice(0, -2)}${draft.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await owner.submit(choice, { draft: changed })).status).toBe(410);
    expect(accounts.orders.length).toBe(before);
  });

  it('needs at least one folder where there are folders', async () => {
    const choice = await owner.submit(await openForm(), settings);
    const page = await owner.submit(choice, { collection: null });
    expect([page.status, page.text.includes('Choose at least one of the folders.')]).toEqual([400, true]);
    expect(accounts.orders.at(-1)?.step).toBe('check');
  });
});

describe('the page of an account', () => {
  it('says when it was synced, what came in, what is wrong and what to do', async () => {
    accounts.put(
      accountView({
        state: 'failing',
        problem: { ...wrongPassword, since: hoursAgo(2) },
        last_changes: { at: hoursAgo(3), import_id: 7, new: 1_200, changed: 0, removed: 3, problems: 1 },
      }),
    );
    const text = await open('/dashboard/accounts/mail_1');
    for (const part of [
      '<h1 class="long">anna@example.org</h1>',
      'The server refused the user name or the password.</b> Check both, or make a new app password.',
      'Last synced',
      '1,200 new, 3 removed',
      '1 item could not be read',
      'href="/dashboard/imports/7"',
    ])
      expect(text).toContain(part);
    expect(await readJson('/dashboard/accounts/mail_1.json')).toMatchObject({
      account: { account: 'anna@example.org', state: 'failing', problem: { code: 'credentials' } },
    });
  });

  it('shows progress, and reloads without script only while it syncs', async () => {
    accounts.put(accountView({ state: 'syncing', progress: { done: 1_234, total: 50_000 } }));
    const busy = await open('/dashboard/accounts/mail_1');
    expect(busy).toContain('<progress max="50000" value="1234"');
    expect(busy).toContain('1,234 of 50,000 done.');
    expect(busy).toContain('http-equiv="refresh"');
    accounts.put(accountView());
    expect(await open('/dashboard/accounts/mail_1')).not.toContain('http-equiv="refresh"');
  });

  it('syncs, pauses, resumes, and changes interval and folders', async () => {
    accounts.put(accountView());
    const page = await owner.open('/dashboard/accounts/mail_1');
    const send = async (action: string, fields: Record<string, string> = {}) => {
      const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
      return owner.send(`/dashboard/accounts/mail_1/${action}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: ORIGIN,
          'sec-fetch-site': 'same-origin',
        },
        body: new URLSearchParams({ csrf, ...fields }).toString(),
      });
    };
    accounts.calls.length = 0;
    for (const action of ['sync', 'pause', 'resume']) expect((await send(action)).status).toBe(303);
    expect((await send('interval', { interval: '3600' })).status).toBe(303);
    expect((await send('interval', { interval: '-1' })).status).toBe(400);
    expect(page.text).toMatch(/<input type="checkbox" name="keep-files" value="yes"\/>/);
    expect((await send('keep-files', { 'keep-files': 'yes' })).status).toBe(303);
    expect((await send('keep-files')).status).toBe(303);
    expect((await send('collections', { collection: 'Spam' })).status).toBe(303);
    expect((await send('collections')).status).toBe(400);
    expect(accounts.calls).toEqual([
      ['syncNow', 'mail_1'],
      ['pause', 'mail_1'],
      ['resume', 'mail_1'],
      ['change', 'mail_1', { intervalSeconds: 3_600 }],
      ['change', 'mail_1', { keepsFiles: true }],
      ['change', 'mail_1', { keepsFiles: false }],
      ['change', 'mail_1', { collections: ['Spam'] }],
    ]);
    accounts.answer(() => ({ state: 'failed', problem: wrongPassword }));
    const refused = await send('password', { secret: PASSWORD });
    expect([refused.status, showsPassword(refused.text)]).toEqual([400, false]);
    expect(refused.text).toContain('id="secret-problem"');
    const unreachable = await owner.open('/dashboard/accounts/mail_1/collections');
    expect(unreachable.text).toContain('Try again');
    accounts.succeed();
    expect((await send('password', { secret: PASSWORD })).status).toBe(303);
    expect((await owner.send('/dashboard/accounts/nobody')).status).toBe(404);
  });

  it('is refused to strangers, and without the value of a form', async () => {
    accounts.put(accountView());
    accounts.calls.length = 0;
    for (const path of [
      '/dashboard/accounts/mail_1',
      '/dashboard/accounts/new',
      '/dashboard/accounts/new/imap',
    ])
      expect((await world.request(`${path}.json`)).status).toBe(401);
    const refused = await owner.send('/dashboard/accounts/mail_1/pause', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
      body: 'csrf=wrong',
    });
    expect([refused.status, accounts.calls]).toEqual([403, []]);
  });
});

describe('removing an account', () => {
  const remove = async (records: string) => {
    accounts.put(accountView({ connection_id: 'mine' }));
    const page = await storedOwner.open('/dashboard/accounts/mail_1');
    const action = '/dashboard/accounts/mail_1/remove';
    const form = page.text.slice(page.text.indexOf(`<form method="post" action="${action}"`));
    return storedOwner.submit({ ...page, text: form }, { records });
  };

  it('keeps the records unless the owner chose otherwise', async () => {
    const page = await remove('keep');
    expect(page.url).toBe(`${ORIGIN}/dashboard/data?done=account-removed`);
    expect(page.text).toContain('Account removed.');
    expect(await (await storedOwner.open('/dashboard/data.json')).text).toContain('"connection_id":"mine"');
  });

  it('deletes the connection with its records', async () => {
    const page = await remove('delete');
    expect(page.url).toContain('/dashboard/removals/');
    await expect
      .poll(async () => (await storedOwner.open('/dashboard/data.json')).text)
      .not.toContain('"connection_id":"mine"');
    expect((await storedOwner.send('/dashboard/accounts/mail_1')).status).toBe(404);
  });
});

describe('other pages', () => {
  it('show accounts that need attention on the overview', async () => {
    accounts.put(accountView({ state: 'stopped', problem: { ...wrongPassword, since: hoursAgo(2) } }));
    const text = await open('/dashboard');
    expect(text).toContain('Accounts that need attention');
    expect(await readJson('/dashboard.json')).toMatchObject({
      accounts_with_problems: [{ account_id: 'mail_1' }],
    });
    accounts.put(accountView());
    expect(await open('/dashboard')).not.toContain('Accounts that need attention');
  });

  it('show a sync that has failed for a day on every page, until it works', async () => {
    accounts.put(accountView({ state: 'failing', problem: { ...wrongPassword, since: hoursAgo(23) } }));
    expect(await open('/dashboard/settings')).not.toContain('has not synced');
    accounts.put(accountView({ state: 'failing', problem: { ...wrongPassword, since: hoursAgo(25) } }));
    for (const path of ['/dashboard', '/dashboard/settings', '/dashboard/apps', '/dashboard/data']) {
      const text = await open(path);
      expect(text).toContain('anna@example.org (Mail (IMAP)) has not synced since then.');
      // It cannot be dismissed, because it would come back.
      expect(text).not.toContain('/dashboard/alarms/seen');
    }
    accounts.put(accountView());
    expect(await open('/dashboard/settings')).not.toContain('has not synced');
  });

  it('list syncs in the activity', async () => {
    expect(await open('/dashboard/activity')).not.toMatch(/account (that syncs was added|was synced)/i);
    const write = createEventLog(world.store.audit);
    await write({ kind: 'account_added', detail: 'anna@example.org' }, new Date());
    await write({ kind: 'synced', detail: 'anna@example.org' }, new Date());
    const text = await open('/dashboard/activity');
    expect(text).toContain('An account that syncs was added.');
    expect(text).toContain('An account was synced, and data has changed.');
  });

  it('list accounts on the data page, for the owner only', async () => {
    expect(await open('/dashboard/data')).toContain('href="/dashboard/accounts/mail_1"');
    expect(await readJson('/dashboard/data.json')).toMatchObject({ accounts: [{ account_id: 'mail_1' }] });
  });
});
