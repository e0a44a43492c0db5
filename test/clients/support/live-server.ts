import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DEMO_DAY } from '../../../bench/demo-end.ts';
import { type Browser, createBrowser } from '../../support/browser.ts';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../../support/run-cli.ts';

export const PASSPHRASE = 'correct horse battery staple';

/** Our server as a user runs it: a process of its own, with demo data and a passphrase. */
export interface LiveServer {
  readonly origin: string;
  /** What a user types into a client. */
  readonly url: string;
  readonly data: string;
  /** Stops the process and starts another on the same folder and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Ends all access tokens, as if their time had passed while the server ran. */
  expireTokens(): void;
  /** Ends every approval, on the page where the owner does it. */
  revokeGrants(): Promise<void>;
  countGrants(): number;
  /** Calls of tools that were answered, oldest first: `Codex query_records ok`. */
  readCalls(): string[];
  /** Errors that the server did not expect. */
  readErrors(): string[];
}

export async function startLiveServer(): Promise<LiveServer> {
  const data = mkdtempSync(join(tmpdir(), 'pdpp-clients-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const logged: string[] = [];

  const filled = await runCli(['demo', '--until', DEMO_DAY, '--data', data]);
  if (filled.code !== 0) throw new Error(`no demo data: ${filled.err}`);

  const start = async () => {
    const child = startCli(['serve', '--data', data, '--port', String(port)]);
    const ended = waitForEnd(child);
    child.stderr.on('data', (text: string) => logged.push(text));
    const printed = await waitForText(child, /^Add /m);
    return { child, ended, printed };
  };
  let running = await start();
  const owner = await setPassphrase(origin, running.printed).catch((error: unknown) => {
    running.child.kill();
    throw error;
  });

  const stop = async () => {
    running.child.kill('SIGTERM');
    await running.ended;
  };
  const withDatabase = <T>(file: string, work: (database: Database.Database) => T): T => {
    const database = new Database(join(data, file), { timeout: 5_000 });
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const read = <T>(file: string, sql: string) =>
    withDatabase(file, (database) => database.prepare(sql).all() as T[]);
  return {
    origin,
    url: `${origin}/mcp`,
    data,
    stop: async () => {
      await stop();
      rmSync(data, { recursive: true, force: true });
    },
    async restart() {
      await stop();
      running = await start();
    },
    expireTokens() {
      const sql = `update tokens set expires_at = '2020-01-01T00:00:00.000Z' where kind = 'client'`;
      const { changes } = withDatabase('store.sqlite', (database) => database.prepare(sql).run());
      if (changes === 0) throw new Error('there was no token to expire');
    },
    revokeGrants: () => revokeAll(owner),
    countGrants: () => read('store.sqlite', 'select grant_id from grants').length,
    readCalls: () =>
      read<{ client: string; tool: string; outcome: string }>(
        'audit.sqlite',
        'select client, tool, outcome from audit order by id',
      ).map((row) => `${row.client} ${row.tool} ${row.outcome}`),
    readErrors: () => logged.flatMap((text) => text.split('\n')).filter((line) => line.includes('"error"')),
  };
}

/** What the owner does with the link that the first start prints. The browser is signed in afterwards. */
async function setPassphrase(origin: string, printed: string): Promise<Browser> {
  const [link] = /http\S+\/setup\/\S+/.exec(printed) ?? [];
  if (link === undefined) throw new Error(`no link to set the passphrase in: ${printed}`);
  const browser = createBrowser((path, init) => fetch(`${origin}${path}`, init), origin);
  const page = await browser.submit(await browser.open(link), { passphrase: PASSPHRASE, again: PASSPHRASE });
  if (!page.url.startsWith(`${origin}/dashboard`))
    throw new Error(`the passphrase was not set: ${page.text}`);
  return browser;
}

/** Presses the button of one app after the other until none is left. */
async function revokeAll(browser: Browser): Promise<void> {
  for (let revoked = 0; ; revoked += 1) {
    const page = await browser.open('/dashboard/apps');
    const [form] = /<form[^>]*action="[^"]+\/revoke"[\s\S]*?<\/form>/.exec(page.text) ?? [];
    if (form === undefined && revoked > 0) return;
    if (form === undefined) throw new Error(`there is nothing to revoke: ${page.status} ${page.text}`);
    await browser.submit({ ...page, text: form });
  }
}
