import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { listGivenSettings, type Settings } from '../config.ts';
import { AppError } from '../errors.ts';
import { print } from './print/print.ts';
import { type Call, getNumber, getText } from './run/call.ts';
import { formatCommand, invocation } from './run/how-started.ts';
import { readConfig, refusePostgres } from './run/with-store.ts';
import { findPlatform } from './service/find-platform.ts';
import { runSystemCommand, runSystemCommands } from './service/run-system-command.ts';

const DEFAULT_LINES = 100;

/** Makes the system start the server when the user signs in, with the settings of this call. */
export async function serviceInstall(call: Call): Promise<void> {
  refusePostgres(call, 'Write a service of your own that sets DATABASE_URL, or use compose.postgres.yaml.');
  const config = readConfig(call);
  const platform = findPlatform();
  const definition = {
    words: [...findProgram(), 'serve', ...listFlags(call)],
    home: homedir(),
    logFile: platform.logFile(homedir()),
  };
  const file = platform.file(definition);
  for (const path of [file, definition.logFile]) mkdirSync(dirname(path), { recursive: true });
  // Readable by the user only: an address may be private.
  writeFileSync(file, platform.format(definition), { mode: 0o600 });
  await runSystemCommands(platform.install(file));
  print(
    call,
    { file, program: definition.words, address: config.publicUrl },
    `The service is installed: ${file}
It runs: ${definition.words.join(' ')}
Open ${config.publicUrl}. For the link to set your passphrase, run: ${formatCommand('owner reset')}
${platform.note}`,
  );
}

export async function serviceStatus(call: Call): Promise<void> {
  const platform = findPlatform();
  const file = getInstalled();
  const { code, text } = await runSystemCommand(platform.status);
  const runs = code === 0;
  if (!runs) process.exitCode = 3;
  print(
    call,
    { file, runs, text },
    `${runs ? 'The service runs' : 'The service does not run'}: ${file}\n\n${text}`,
  );
}

export async function serviceLogs(call: Call): Promise<void> {
  const platform = findPlatform();
  getInstalled();
  const lines = getNumber(call, 'lines') ?? DEFAULT_LINES;
  const command = platform.logs({ logFile: platform.logFile(homedir()) }, lines);
  const { text } = await runSystemCommand(command);
  print(call, { lines: text.trimEnd().split('\n') }, text.trimEnd());
}

/** Stops and removes the service. The data is kept. */
export async function serviceRemove(call: Call): Promise<void> {
  const platform = findPlatform();
  const file = getInstalled();
  const [first, ...rest] = platform.remove(file);
  await runSystemCommands([first]);
  rmSync(file, { force: true });
  await runSystemCommands(rest);
  print(call, { removed: file }, 'The service is removed. Your data is kept.');
}

function getInstalled(): string {
  const file = findPlatform().file({ home: homedir() });
  if (existsSync(file)) return file;
  throw new AppError('not_found', 'The service is not installed.', {
    hint: `Run ${formatCommand('service install')}.`,
  });
}

/** Returns the settings to repeat, with absolute paths: those of the call, then those of the environment. */
function listFlags(call: Call): string[] {
  const watched = getText(call, 'watch');
  const settings = {
    ...listGivenSettings(call.values as Settings),
    ...(watched === undefined ? {} : { watch: resolve(watched) }),
  };
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
}

/** Returns the command that starts pdpp, which must stay where it is. */
function findProgram(): readonly string[] {
  const { program } = invocation;
  const [first = ''] = program;
  if (first !== 'npx' && program.length > 1) return program;
  throw new AppError('conflict', 'npx may remove this copy of pdpp, so a service cannot use it.', {
    hint: 'Install pdpp first: npm install --global pdpp',
  });
}
