import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { signInByBrowser } from '../../../src/client/browser-sign-in.ts';
import { fileIn, makeConnectionFolder, writeConnection } from '../../../src/client/connection-file.ts';
import { createGuardedFetch, nameOf } from '../../../src/client/guarded-fetch.ts';
import { type CliResult, runCli, runShell, startCli } from '../run-cli.ts';
import { makeFolder } from '../temp-folder.ts';
import { makeFakeBrowser } from './fake-browser.ts';

/** A folder in which somebody uses the command line, with a browser in which everything is approved. */
export interface Project {
  readonly folder: string;
  /** What is kept for every folder of the user is below it. */
  readonly config: string;
  run(
    args: readonly string[],
    options?: { input?: string; environment?: Record<string, string> },
  ): Promise<CliResult>;
  /** Runs a line as a shell would. */
  paste(line: string): Promise<CliResult>;
  start(args: readonly string[], environment?: Record<string, string>): ReturnType<typeof startCli>;
  /** The addresses that the browser was asked to open. */
  opened(): string[];
  /** Connects as `pdpp connect` does, without a process. */
  connect(server: string): Promise<void>;
  connectionFiles(): string[];
  /** Changes what a connection file holds, as time or another process would. */
  edit(change: (connection: Stored) => void): void;
}

export interface Stored {
  server: string;
  issuer: string;
  expires_at?: string;
  tokens: { access_token: string; refresh_token?: string };
}

/** Lasts for one test, unless it is made in a folder that lasts longer. */
export function makeProject(outside: string = makeFolder()): Project {
  const folder = join(outside, 'project');
  mkdirSync(folder);
  const browser = join(outside, 'fake-browser');
  const { readLog } = makeFakeBrowser(browser);
  const config = join(outside, 'config');
  const clientFolder = join(config, 'pdpp', 'client');
  const own = { BROWSER: browser, XDG_CONFIG_HOME: config };
  const connectionFiles = () =>
    existsSync(clientFolder) ? readdirSync(clientFolder).map((name) => join(clientFolder, name)) : [];
  return {
    folder,
    config,
    run: (args, { input, environment } = {}) =>
      runCli(args, {
        folder,
        environment: { ...own, ...environment },
        ...(input === undefined ? {} : { input }),
      }),
    paste: (line) => runShell(line, own, folder),
    start: (args, environment) => startCli(args, { ...own, ...environment }, folder),
    opened: () => readLog().flatMap((line) => /^asked (.+)/.exec(line)?.[1] ?? []),
    connectionFiles,
    async connect(origin) {
      const server = new URL(`${origin}/mcp`);
      const say = (text: string) => {
        if (text.startsWith('\n')) void fetch(text.trim()).then((response) => response.text());
      };
      const { credentials } = await signInByBrowser(
        server,
        { browser: undefined, input: Readable.from([]), print: say },
        createGuardedFetch(server),
        undefined,
        async () => {},
      );
      const file = fileIn(clientFolder, nameOf(server));
      makeConnectionFolder(file);
      writeConnection(file, { ...credentials, connected_at: new Date().toISOString() });
    },
    edit(change) {
      const [file] = connectionFiles() as [string];
      const connection = JSON.parse(readFileSync(file, 'utf8')) as Stored;
      change(connection);
      writeFileSync(file, JSON.stringify(connection));
    },
  };
}
