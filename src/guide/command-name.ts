import { basename, dirname, join, relative, sep } from 'node:path';

const PROGRAM = 'pdpp';

/** What a process knows of how it was started. */
export interface Start {
  /** The file that Node was given, as it was named: a link is not followed. */
  readonly script: string;
  /** Where it was started. */
  readonly folder: string;
  /** Where the shell looks for programs. */
  readonly path: readonly string[];
  /** What npm was doing, and for which package, when npm started it. */
  readonly npm?: { readonly command: string; readonly package: string } | undefined;
  /** The file that `npx` was given instead of a name, which somebody else may have in a registry. */
  readonly tarball?: string | undefined;
}

/** What somebody who sits where the program was started types to run it again, whichever way that was. */
export function nameCommand({ script, folder, path, npm, tarball }: Start): string {
  const isLink = basename(script) === PROGRAM;
  if (tarball !== undefined) return `npx ${quote(tarball)}`;
  if (npm !== undefined && isLink) return `npx ${PROGRAM}`;
  if (isLink) return path.includes(dirname(script)) ? PROGRAM : quote(shorten(script, folder));
  if (!/^cli\.[jt]s$/.test(basename(script))) return PROGRAM;
  if (npm?.package === PROGRAM) return 'npm run -s pdpp --';
  const runner = script.endsWith('.ts') ? 'npx tsx' : 'node';
  return `${runner} ${quote(shorten(script, folder))}`;
}

/** The same for a program that starts it from any other folder, without a shell: its words, one by one. */
export function nameProgram({ script, path, npm, tarball }: Start): readonly string[] {
  const isLink = basename(script) === PROGRAM;
  if (tarball !== undefined) return ['npx', tarball];
  if (npm !== undefined && isLink) return ['npx', PROGRAM];
  if (isLink) return path.includes(dirname(script)) ? [PROGRAM] : [script];
  if (!/^cli\.[jt]s$/.test(basename(script))) return [PROGRAM];
  return script.endsWith('.ts') ? ['npx', 'tsx', script] : ['node', script];
}

/** The first words of all commands: what makes `pdpp` in a text the program, and not the thing. */
export const commandWords = [
  'serve',
  'doctor',
  'verify',
  'backup',
  'restore',
  'demo',
  'import',
  'watch',
  'source',
  'connection',
  'ingest',
  'grant',
  'owner',
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
] as const;

const CALL = new RegExp(
  `\\b${PROGRAM} ((${commandWords.join('|')})\\b(?:(?<=grant|owner|connection|source) \\w+| (?:list|undo)\\b)?)`,
  'g',
);

/** Commands that ask a server, which has its own folder, or nobody. All others look after a data folder. */
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

/**
 * A text of ours with every `pdpp COMMAND` in it written as it works where this program runs, on the data folder that it
 * runs on. `folder` is left out where it is the one that everybody has.
 */
export function sayCommand(text: string, command: string, folder?: string): string {
  return text.replaceAll(CALL, (_, words: string, first: string) => {
    const data = folder === undefined || WITHOUT_FOLDER.includes(first) ? '' : ` --data ${quote(folder)}`;
    return `${command} ${words}${data}`;
  });
}

/** One word for a shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function shorten(script: string, folder: string): string {
  const way = relative(folder, script);
  const isBelow = !way.startsWith('..') && way !== script;
  // A name without a slash would be looked for elsewhere.
  return isBelow ? (way.includes(sep) ? way : join('.', way)) : script;
}
