import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authority, Dovecot, PASSWORD, USER } from '../accounts/imap/dovecot.ts';
import { useFolder } from '../support/temp-folder.ts';
import { makeCertificate } from '../support/tls/make-certificate.ts';
import { checkPage } from './check-page.ts';
import { listComplaints, setPassphrase } from './owner-page.ts';
import { useBrowser } from './use-browser.ts';

const NEW_PASSWORD = 'another tortoise & 99';
const MAILS = 300;
const HOST = '127.0.0.1';
/** A sync takes seconds; a busy machine takes its time. */
const WAIT_MS = 120_000;
const FINE = { overflows: false };

const authorityFile = join(useFolder(), 'authority.pem');
writeFileSync(authorityFile, authority.cert);
const { server, browser } = await useBrowser({ NODE_EXTRA_CA_CERTS: authorityFile });
const mailServer = new Dovecot({ certificate: makeCertificate({ names: [HOST], issuer: authority }) });
const page = await browser.newPage();
const complaints: string[] = [];

const writeMail = (id: string, subject: string) =>
  `From: Ben <ben@example.org>\nTo: ${USER}\nSubject: ${subject}\nMessage-ID: <${id}@example.org>\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\nA letter about the lighthouse.\n`;

beforeAll(async () => {
  await mailServer.start();
  mailServer.fill(
    'INBOX',
    Array.from({ length: MAILS }, (_, i) => writeMail(`mail-${i}`, `Letter ${i}`)),
  );
  listComplaints(page, complaints);
  await page.goto(server.setupLink);
  await setPassphrase(page);
}, 300_000);
afterAll(() => mailServer.remove());

const go = (path: string) => page.goto(`${server.origin}${path}`);
const setPasswordOnServer = (password: string) =>
  writeFileSync(join(mailServer.folder, 'users'), `${USER}:{PLAIN}${password}\n`);
/** The state as the page shows it, which updates without a reload. */
const waitForState = (state: string) =>
  page.waitForSelector(`#account-kind .chip:text-is("${state}")`, { timeout: WAIT_MS });
const readFolder = () =>
  readdirSync(server.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

/** Returns where a password is readable: in stored files, or in what the server answers to the owner. */
async function findPasswords(accountPath: string | undefined): Promise<string[]> {
  const paths = [
    ...['/dashboard', '/dashboard/data', '/dashboard/activity', '/dashboard/accounts/new'],
    ...(accountPath === undefined ? [] : [accountPath]),
  ].flatMap((path) => [path, `${path}.json`]);
  const answers = (await page.evaluate(
    `Promise.all(${JSON.stringify(paths)}.map((path) => fetch(path).then((answer) => answer.text())))`,
  )) as string[];
  const known = [PASSWORD, NEW_PASSWORD].flatMap((one) => [one, Buffer.from(one).toString('base64')]);
  return known.filter(
    (one) => answers.some((text) => text.includes(one)) || readFolder().some((bytes) => bytes.includes(one)),
  );
}

/** Each step goes on from the one before, as a person would. */
describe('an account', () => {
  let account: string;

  it('is found from the data page', async () => {
    await go('/dashboard/data');
    await page.click('text=Add an account that stays up to date');
    expect(await checkPage(page, 'account-new')).toEqual(FINE);
    await page.click('section:has(h2:has-text("Mail")) a:text-is("Gmail")');
    expect(await page.inputValue('#setting-server')).toBe('imap.gmail.com');
    expect(await page.getAttribute('.notice a', 'href')).toBe('https://myaccount.google.com/apppasswords');
    expect(await checkPage(page, 'account-preset')).toEqual(FINE);
  });

  it('needs permission for a server at home, and the right password, each said at its field', async () => {
    await go('/dashboard/accounts/new/imap');
    await page.fill('#setting-user', USER);
    await page.fill('#setting-server', HOST);
    await page.fill('#setting-secret', 'wrong');
    await page.click('summary:text-is("More settings")');
    await page.fill('#setting-port', String(mailServer.port));
    await page.click('button:text-is("Test connection")');
    await page.waitForSelector('#allows-private-problem');
    expect(await checkPage(page, 'account-private')).toEqual(FINE);
    expect(await page.inputValue('#setting-user')).toBe(USER);
    expect(await page.inputValue('#setting-secret')).toBe('');
    await page.check('[name=allows_private]');
    await page.fill('#setting-secret', 'wrong');
    await page.click('button:text-is("Test connection")');
    await page.waitForSelector('#setting-secret-problem');
    expect(await checkPage(page, 'account-wrong-password')).toEqual(FINE);
    expect(await page.inputValue('#setting-port')).toBe(String(mailServer.port));
    expect(await page.isChecked('[name=allows_private]')).toBe(true);
  });

  it('is saved after the owner chose folders, and fills while the page is open', async () => {
    await page.fill('#setting-secret', PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:text-is("The connection works")');
    expect(await checkPage(page, 'account-choose')).toEqual(FINE);
    await page.click('button:text-is("Add account")');
    await page.waitForURL('**/dashboard/accounts/*?done=added');
    account = new URL(page.url()).pathname;
    await waitForState('up to date');
    expect(await page.textContent('#account-status')).toMatch(new RegExp(`${MAILS}|[1-9][\\d,]* new`));
    expect(await checkPage(page, 'account')).toEqual(FINE);
    expect(await findPasswords(account)).toEqual([]);
    await go('/dashboard/data?q=lighthouse');
    expect(await page.locator('.hits li').count()).toBeGreaterThan(3);
  });

  it('shows its state on the page of its connection', async () => {
    await go(account);
    await page.click('#account-status a[href^="/dashboard/connections/"]');
    expect(await page.textContent('main')).toContain(USER);
    expect(await checkPage(page, 'account-connection')).toEqual(FINE);
  });

  it('says what is wrong after the password has changed at the provider', async () => {
    setPasswordOnServer(NEW_PASSWORD);
    await go(account);
    await page.click('button:text-is("Sync now")');
    await waitForState('stopped');
    expect(await page.textContent('#account-status .notice')).toMatch(/password/i);
    expect(await checkPage(page, 'account-stopped')).toEqual(FINE);
    await go('/dashboard');
    expect(await page.textContent('section:has(h2:text-is("Accounts that need attention"))')).toContain(USER);
    expect(await checkPage(page, 'account-home')).toEqual(FINE);
  });

  it('works again with the new password, and finds new mail', async () => {
    await go(account);
    await page.fill('#secret', 'wrong again');
    await page.click('button:text-is("Change password")');
    await page.waitForSelector('#secret-problem');
    expect(await page.inputValue('#secret')).toBe('');
    await page.fill('#secret', NEW_PASSWORD);
    await page.click('button:text-is("Change password")');
    await waitForState('up to date');
    mailServer.deliver(writeMail('late', 'About a submarine'));
    await page.click('button:text-is("Sync now")');
    await expect
      .poll(
        async () => {
          await go('/dashboard/data?q=submarine');
          return page.locator('.hits li').count();
        },
        { timeout: WAIT_MS },
      )
      .toBeGreaterThan(0);
    expect(await findPasswords(account)).toEqual([]);
  });

  it('can be paused and its folders changed, without script', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    const plain = await context.newPage();
    await plain.goto(`${server.origin}${account}`);
    await plain.click('button:text-is("Pause")');
    await plain.waitForSelector('.chip:text-is("paused")');
    await plain.click('a:text-is("Choose folders")');
    await plain.click('button:text-is("Save")');
    await plain.waitForSelector('text=Selection saved');
    await plain.click('button:text-is("Resume")');
    await plain.waitForSelector('text=Account resumed.');
    await context.close();
  });

  it('is listed in the activity', async () => {
    await go('/dashboard/activity');
    const activity = await page.textContent('main');
    expect(activity).toContain('An account that syncs was added.');
    expect(activity).toContain('An account was synced, and data has changed.');
    expect(await checkPage(page, 'account-activity')).toEqual(FINE);
  });

  it('leaves no trace once it is removed with its records', async () => {
    await go(account);
    await page.click('summary:text-is("Remove account")');
    await page.check('[value=delete]');
    expect(await checkPage(page, 'account-remove')).toEqual(FINE);
    await page.click('button:text-is("Remove account")');
    await page.waitForSelector('h1:text-is("Data removed")', { timeout: WAIT_MS });
    for (const path of ['/dashboard', '/dashboard/data', '/dashboard.json', '/dashboard/data.json']) {
      await go(path);
      expect([path, (await page.textContent('body'))?.includes(USER)]).toEqual([path, false]);
    }
    expect((await go(account))?.status()).toBe(404);
    expect(await findPasswords(undefined)).toEqual([]);
    // The statuses of refused forms are expected.
    expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  });
});
