import { basename, dirname, join } from 'node:path';
import type { FormatCommand } from '../text/hint.ts';

const PROGRAM = 'pdpp';

/** How the process was started. */
export interface Start {
  /** The script path passed to Node; symbolic links are not resolved. */
  readonly script: string;
  /** The full path of the Node executable. */
  readonly node: string;
  /** Whether the shell runs the same Node as `node`. */
  readonly isShellNode: boolean;
  /** The folders in PATH. */
  readonly path: readonly string[];
  /** The package file passed to `npx` instead of a name. */
  readonly tarball?: string | undefined;
}

/** The default port. */
export const DEFAULT_PORT = 7733;

/** The command that runs this program, and the settings to repeat. */
export interface Invocation {
  /** The command for a shell, in any folder. */
  readonly command: string;
  /** The arguments for starting it without a shell. */
  readonly program: readonly string[];
  /** The data folder, if not the default. */
  readonly folder?: string | undefined;
  /** The owner, if not the main one. */
  readonly owner?: string | undefined;
  /** The port that the server listens on. */
  readonly port?: number | undefined;
}

/** The command to show if it is unknown how the reader starts pdpp. */
export const PLAIN_COMMAND: Invocation = { command: PROGRAM, program: [PROGRAM] };

/** Returns the shell command that runs this program in any folder. */
export function nameCommand(start: Start): string {
  const { script, node, isShellNode } = start;
  if (isLink(script) && !isFetched(start)) return isOnPath(start) ? PROGRAM : quote(script);
  const [first = PROGRAM, ...words] = nameProgram(start);
  return [first === node && isShellNode ? 'node' : first, ...words].map(quote).join(' ');
}

/** Returns the program and the arguments that start pdpp without a shell. */
export function nameProgram(start: Start): readonly string[] {
  const { script, node, tarball } = start;
  if (isFetched(start)) return ['npx', tarball ?? PROGRAM];
  if (isLink(script) || basename(script) === 'cli.js') return [node, script];
  // The source needs a loader, which scripts/pdpp.mjs sets up in any folder.
  if (basename(script) === 'cli.ts') return [node, join(dirname(script), '..', 'scripts', 'pdpp.mjs')];
  return [PROGRAM];
}

function isLink(script: string): boolean {
  return basename(script) === PROGRAM;
}

/** Whether the shell finds the link. npm adds node_modules/.bin to PATH only while a script runs. */
function isOnPath({ script, path }: Start): boolean {
  const folder = dirname(script);
  return path.includes(folder) && !/[\\/]node_modules[\\/]\.bin$/.test(folder);
}

/** Whether npx runs it from its cache. */
function isFetched({ script, tarball }: Start): boolean {
  return tarball !== undefined || (isLink(script) && /[\\/]_npx[\\/]/.test(script));
}

/** Commands without a data folder. */
const WITHOUT_FOLDER: readonly string[] = [
  'version',
  'service status',
  'service logs',
  'service remove',
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

/** Commands with a data folder that are not about one owner. */
const WITHOUT_OWNER: readonly string[] = ['serve', 'owner add', 'owner list', 'owner remove'];

/** Formats commands for this computer, with the data folder, the owner and the server port. */
export function createCommandFormat({
  command,
  folder,
  owner,
  port = DEFAULT_PORT,
}: Invocation): FormatCommand {
  return (words, rest) => {
    const [first = ''] = words.split(' ');
    const hasFolder = !WITHOUT_FOLDER.includes(first) && !WITHOUT_FOLDER.includes(words);
    const hasOwner = hasFolder && !WITHOUT_OWNER.includes(words);
    return [
      command,
      words,
      ...(hasFolder && folder !== undefined ? ['--data', quote(folder)] : []),
      ...(hasOwner && owner !== undefined ? ['--owner', quote(owner)] : []),
      ...(first === 'serve' && port !== DEFAULT_PORT ? ['--port', port] : []),
      ...(rest === undefined ? [] : [rest]),
    ].join(' ');
  };
}

/** Quotes a word for a shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
