import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, runCli, startCli, waitForText } from '../support/run-cli.ts';

export interface RunningServer {
  readonly origin: string;
  /** What it printed when it started. */
  readonly greeting: string;
  readonly setupLink: string;
  /** Its data folder. */
  readonly folder: string;
  readonly cli: (...args: string[]) => ReturnType<typeof runCli>;
  stop(): Promise<void>;
}

/** The server as a user starts it for the first time: an empty folder, a port, nothing else. */
export async function startServer(environment: Record<string, string> = {}): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-browser-'));
  const port = await findFreePort();
  const child = startCli(['serve', '--data', folder, '--port', String(port)], environment);
  const greeting = await waitForText(child, /\nAdd .*\n/);
  return {
    origin: `http://127.0.0.1:${port}`,
    greeting,
    folder,
    setupLink: /http\S+\/setup\/\S+/.exec(greeting)?.[0] ?? '',
    cli: (...args) => runCli([...args, '--data', folder]),
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
