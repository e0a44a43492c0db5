import { basename, dirname, join } from 'node:path';
import type { FormatCommand } from '../text/hint.ts';

const PROGRAM = 'pdpp';

/** What a process knows of how it was started. */
export interface Start {
  /** The file that Node was given, as it was named: a link is not followed. */
  readonly script: string;
  /** The Node that runs it, by its whole path. */
  readonly node: string;
  /** Whether that is also the one that the shell runs as `node`. */
  readonly isShellNode: boolean;
  /** Where the shell looks for programs. */
  readonly path: readonly string[];
  /** The file that `npx` was given instead of a name, which somebody else may have in a registry. */
  readonly tarball?: string | undefined;
}

/** The port of a server that was given none. */
export const DEFAULT_PORT = 7733;

/** How this program is called on this computer, and the settings that the next call has to repeat. */
export interface CalledAs {
  /** For a shell, in any folder. */
  readonly command: string;
  /** For another program, which has no shell: its words, one by one. */
  readonly program: readonly string[];
  /** The data folder, where it is not the default. */
  readonly folder?: string | undefined;
  /** The port that the server listens on. */
  readonly port?: number | undefined;
}

/** For a reader whose computer is unknown. */
export const CALLED_ELSEWHERE: CalledAs = { command: PROGRAM, program: [PROGRAM] };

/** The command that runs this program again, as a shell takes it in any folder. */
export function nameCommand(start: Start): string {
  const { script, node, isShellNode } = start;
  if (isLink(script) && !isFetched(start)) return isOnPath(start) ? PROGRAM : quote(script);
  const [first = PROGRAM, ...words] = nameProgram(start);
  return [first === node && isShellNode ? 'node' : first, ...words].map(quote).join(' ');
}

/** The same for a program that has no shell and perhaps not our PATH: its words, one by one. */
export function nameProgram(start: Start): readonly string[] {
  const { script, node, tarball } = start;
  if (isFetched(start)) return ['npx', tarball ?? PROGRAM];
  if (isLink(script) || basename(script) === 'cli.js') return [node, script];
  // The sources need a loader, and it needs their settings, whatever the folder.
  if (basename(script) === 'cli.ts') return [node, join(dirname(script), '..', 'scripts', 'pdpp.mjs')];
  return [PROGRAM];
}

function isLink(script: string): boolean {
  return basename(script) === PROGRAM;
}

/** Whether the shell finds the link. npm adds the programs of a package to the PATH, but only while it runs a script. */
function isOnPath({ script, path }: Start): boolean {
  const folder = dirname(script);
  return path.includes(folder) && !/[\\/]node_modules[\\/]\.bin$/.test(folder);
}

/** npx fetched it into its cache, where the next npx finds it, whichever folder it runs in. */
function isFetched({ script, tarball }: Start): boolean {
  return tarball !== undefined || (isLink(script) && /[\\/]_npx[\\/]/.test(script));
}

/** Commands that ask a server, which has its own folder, or nobody. All others work on a data folder. */
const WITHOUT_FOLDER: readonly string[] = [
  'connect',
  'disconnect',
  'schema',
  'query',
  'aggregate',
  'search',
  'fetch',
  'mcp',
  'completion',
  'help',
];

/** Writes commands as they work on this computer, with the data folder and, where a server is started, the port. */
export function createCommandFormat({ command, folder, port = DEFAULT_PORT }: CalledAs): FormatCommand {
  return (words, rest) => {
    const [first = ''] = words.split(' ');
    return [
      command,
      words,
      ...(folder === undefined || WITHOUT_FOLDER.includes(first) ? [] : ['--data', quote(folder)]),
      ...(first === 'serve' && port !== DEFAULT_PORT ? ['--port', port] : []),
      ...(rest === undefined ? [] : [rest]),
    ].join(' ');
  };
}

/** One word for a shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
