import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import {
  type CalledAs,
  createCommandFormat,
  nameCommand,
  nameProgram,
  type Start,
} from '../../guide/command-name.ts';
import type { FormatCommand } from '../../text/hint.ts';

/** How this program is called, with the folder and the port that this call names: the next one must name them too. */
export const calledAs: CalledAs = readCalledAs();

/** How this program is called from any folder. */
export const commandName: string = calledAs.command;

/** Writes a command of ours as it works here. */
export const formatCommand: FormatCommand = createCommandFormat(calledAs);

function readCalledAs(environment: NodeJS.ProcessEnv = process.env): CalledAs {
  const start = readStart(environment);
  const folder = findOption('data') || environment.PDPP_DATA;
  const port = Number(findOption('port') || environment.PDPP_PORT);
  return {
    command: nameCommand(start),
    program: nameProgram(start),
    folder: folder ? resolve(folder) : undefined,
    port: Number.isInteger(port) && port > 0 ? port : undefined,
  };
}

/** Beside the settings, which take longer to load than most commands to run. */
function findOption(name: string, words: readonly string[] = process.argv): string | undefined {
  const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  return words[at] === `--${name}` ? words[at + 1] : words[at]?.slice(`--${name}=`.length);
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

/** As far as the shell and npm tell. */
function readStart({ PATH = '' }: NodeJS.ProcessEnv): Start {
  const script = process.argv[1] ?? '';
  const path = PATH.split(delimiter);
  return { script, ...findNode(path), path, tarball: findTarball(script) };
}

/** This Node, by the name that the shell finds it by: an update changes what is behind that, but not the name. */
function findNode(path: readonly string[]): Pick<Start, 'node' | 'isShellNode'> {
  const { execPath } = process;
  const named = path.map((folder) => join(folder, basename(execPath))).find((name) => existsSync(name));
  const isShellNode = named !== undefined && realpathSync(named) === realpathSync(execPath);
  return { node: isShellNode ? resolve(named) : execPath, isShellNode };
}
