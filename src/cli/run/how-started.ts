import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { nameCommand, nameProgram, type Start, sayCommand } from '../../guide/command-name.ts';

const start = readStart();

/** How this program is called where it runs. */
export const commandName: string = nameCommand(start);

/** The words that start it from anywhere on this computer. */
export const programWords: readonly string[] = nameProgram(start);

/** The data folder, where this call names one: the next one must name it too. */
export const namedFolder: string | undefined = findFolder(process.argv, process.env);

/** A hint or a text of ours, with commands written as they work here. */
export function sayHere(text: string): string {
  return sayCommand(text, commandName, namedFolder);
}

/** The same where somebody has just typed the rest, the folder too. */
export function sayProgram(text: string): string {
  return sayCommand(text, commandName);
}

function findFolder(words: readonly string[], { PDPP_DATA }: NodeJS.ProcessEnv): string | undefined {
  const at = words.findIndex((word) => /^--data(=|$)/.test(word));
  const named = words[at] === '--data' ? words[at + 1] : words[at]?.slice('--data='.length);
  return named || PDPP_DATA || undefined;
}

/** npx keeps what it was asked to run in a folder of its own, with a package.json that says what that was. */
function findTarball(script: string): string | undefined {
  const folder = dirname(dirname(dirname(script)));
  if (!/[\\/]_npx[\\/]/.test(script)) return undefined;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const asked = String(dependencies?.pdpp ?? '');
    return asked.startsWith('file:') ? resolve(folder, asked.slice('file:'.length)) : undefined;
  } catch {
    return undefined;
  }
}

/** As far as the shell and npm tell. Beside the settings, which take longer to load than most commands to run. */
function readStart(environment: NodeJS.ProcessEnv = process.env): Start {
  const { npm_command: command, npm_package_name: name = '', PATH = '' } = environment;
  const script = process.argv[1] ?? '';
  return {
    script,
    folder: process.cwd(),
    path: PATH.split(delimiter),
    npm: command === undefined ? undefined : { command, package: name },
    tarball: findTarball(script),
  };
}
