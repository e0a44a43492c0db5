import { DEMO_DAY } from '../../../bench/demo-end.ts';
import { type Browser, createBrowser } from '../../support/browser.ts';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../../support/run-cli.ts';
import { type LiveData, openLiveData } from './live-data.ts';
import { isRecording, startRecorder } from './record-traffic.ts';

export const PASSPHRASE = 'correct horse battery staple';

/** Our server as a user runs it: a process of its own, or several, with demo data and a passphrase. */
export interface LiveServer {
  readonly origin: string;
  /** What a user types into a client. */
  readonly url: string;
  readonly data: string;
  /** Stops every process and starts another on the same folder and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Ends all access tokens, as if their time had passed while the server ran. */
  expireTokens(): Promise<void>;
  /** Ends every approval, on the page where the owner does it. */
  revokeGrants(): Promise<void>;
  countGrants(): Promise<number>;
  /** Calls of tools that were answered, oldest first: `Codex query_records ok`. */
  readCalls(): Promise<string[]>;
  /** Errors that the server did not expect. */
  readErrors(): string[];
}

/** `client` is the name under which its messages are recorded. */
export async function startLiveServer(client = 'conformance'): Promise<LiveServer> {
  const live = await openLiveData();
  const [first] = live.processes as [LiveData['processes'][0]];
  const port = isRecording ? await findFreePort() : live.port;
  const origin = `http://127.0.0.1:${port}`;
  const recorder = isRecording ? await startRecorder(client, port, live.port) : undefined;
  const logged: string[] = [];

  const filled = await runCli(['demo', '--until', DEMO_DAY, '--data', first.folder], {
    environment: first.environment,
  });
  if (filled.code !== 0) throw new Error(`no demo data: ${filled.err}`);

  const start = async (one: LiveData['processes'][0]) => {
    const options = ['--data', one.folder, '--port', String(one.port), '--public-url', origin];
    const child = startCli(['serve', ...options], one.environment);
    const ended = waitForEnd(child);
    child.stderr.on('data', (text: string) => logged.push(text));
    const printed = await waitForText(child, /^Add /m);
    return { child, ended, printed };
  };
  const startAll = () => Promise.all(live.processes.map(start));
  let running = await startAll();
  const stop = async () => {
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
  };
  const owner = await setPassphrase(origin, running[0]?.printed ?? '').catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    origin,
    url: `${origin}/mcp`,
    data: first.folder,
    stop: async () => {
      await stop();
      recorder?.close();
      await live.close();
    },
    async restart() {
      await stop();
      running = await startAll();
    },
    async expireTokens() {
      const where = `where kind = 'client'`;
      const [tokens] = await live.query<{ n: number | string }>(
        'store',
        `select count(*) as n from tokens ${where}`,
      );
      if (Number(tokens?.n) === 0) throw new Error('there was no token to expire');
      await live.query('store', `update tokens set expires_at = '2020-01-01T00:00:00.000Z' ${where}`);
    },
    revokeGrants: () => revokeAll(owner),
    countGrants: async () => (await live.query('store', 'select grant_id from grants')).length,
    readCalls: async () =>
      (
        await live.query<{ client: string; tool: string; outcome: string }>(
          'audit',
          'select client, tool, outcome from audit order by id',
        )
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
