import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import {
  createCommandFormat,
  type Invocation,
  nameCommand,
  nameProgram,
  type Start,
} from '../../guide/command-name.ts';
import type { FormatCommand } from '../../text/hint.ts';

/** How this program was started, with the data folder, owner and port, which further commands need as well. */
export const invocation: Invocation = readInvocation();

/** The command that works from any folder. */
export const commandName: string = invocation.command;

/** Formats a command so that it works on this computer. */
export const formatCommand: FormatCommand = createCommandFormat(invocation);

function readInvocation(environment: NodeJS.ProcessEnv = process.env): Invocation {
  const start = readStart(environment);
  const folder = findOption('data') || environment.PDPP_DATA;
  const port = Number(findOption('port') || environment.PDPP_PORT);
  return {
    command: nameCommand(start),
    program: nameProgram(start),
    folder: folder ? resolve(folder) : undefined,
    owner: findOption('owner') || undefined,
    port: Number.isInteger(port) && port > 0 ? port : undefined,
  };
}

/** Reads an option without loading the settings, which take longer to load than most commands take to run. */
function findOption(name: string, words: readonly string[] = process.argv): string | undefined {
  const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  return words[at] === `--${name}` ? words[at + 1] : words[at]?.slice(`--${name}=`.length);
}

/** Finds the tarball that npx was asked to run, in the package.json of its cache folder. */
function findTarball(script: string): string | undefined {
  const folder = dirname(dirname(dirname(script)));
  if (!/[\\/]_npx[\\/]/.test(script)) return undefined;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const dependency = String(dependencies?.pdpp ?? '');
    return dependency.startsWith('file:') ? resolve(folder, dependency.slice('file:'.length)) : undefined;
  } catch {
    return undefined;
  }
}

function readStart({ PATH = '' }: NodeJS.ProcessEnv): Start {
  const script = process.argv[1] ?? '';
  const path = PATH.split(delimiter);
  return { script, ...findNode(path), path, tarball: findTarball(script) };
}

/** Prefers the path by which the shell finds this Node, because it stays valid after an update. */
function findNode(path: readonly string[]): Pick<Start, 'node' | 'isShellNode'> {
  const { execPath } = process;
  const named = path.map((folder) => join(folder, basename(execPath))).find((name) => existsSync(name));
  const isShellNode = named !== undefined && realpathSync(named) === realpathSync(execPath);
  return { node: isShellNode ? resolve(named) : execPath, isShellNode };
}
