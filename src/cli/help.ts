import { version } from '../version.ts';
import { plain } from './print/print.ts';
import { type Call, UsageError } from './run/call.ts';
import { commandName, formatCommand } from './run/how-started.ts';
import type { CommandEntry, CommandGroup } from './table/option.ts';

const COLUMN = 20;

/** `help`, `help query`, `help grant`. */
export async function help(call: Call, commands: readonly CommandEntry[]): Promise<void> {
  const asked = call.positionals.join(' ');
  const exact = commands.find(({ words }) => words === asked);
  const below = commands.filter(({ words }) => words.startsWith(`${asked} `));
  if (exact === undefined && below.length === 0)
    throw new UsageError(await findWrongWord(call.positionals, commands));
  const parts = [
    ...(exact === undefined ? [] : [describeCommand(exact)]),
    ...(below.length === 0
      ? []
      : [exact === undefined ? listCommands(below) : `See also\n${listCommands(below)}`]),
  ];
  console.log(plain(parts.join('\n\n')));
}

/** The whole list, in groups, a line each. */
export function writeHelp(groups: readonly CommandGroup[]): string {
  const lists = groups.map(({ title, commands }) => `${title}\n${listCommands(commands)}`);
  const examples = ['serve', 'import ~/Downloads/takeout.zip', 'query transactions --sort -amount --limit 5'];
  return [
    `pdpp ${version}: your own data, for the AI apps you choose\n\nUsage: ${commandName} COMMAND [options]`,
    ...lists,
    writeExamples(examples),
    `${commandName} help COMMAND says more about one.`,
  ].join('\n\n');
}

/** Everything about one command. */
export function describeCommand(command: CommandEntry): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const head = `  --${[name, option.takes].filter(Boolean).join(' ')}`;
    const values = option.values === undefined ? '' : `: ${option.values.join(', ')}`;
    const again = option.multiple ? '; may be repeated' : '';
    return line(head, `${option.says}${values}${again}`, COLUMN + 8);
  });
  return [
    `${writeUsage(command)}\n\n${command.says[0]?.toUpperCase()}${command.says.slice(1)}.`,
    ...(options.length === 0 ? [] : [`Options\n${options.join('\n')}`]),
    writeExamples(command.examples),
  ].join('\n\n');
}

export function writeUsage({ words, takes, options }: CommandEntry): string {
  const rest = Object.keys(options).length === 0 ? '' : '[options]';
  return `Usage: ${[commandName, words, takes, rest].filter((part) => part !== '').join(' ')}`;
}

function listCommands(commands: readonly CommandEntry[]): string {
  return commands.map(({ words, says }) => line(`  ${words}`, says, COLUMN)).join('\n');
}

function writeExamples(examples: readonly string[]): string {
  return ['Examples', ...examples.map((example) => `  ${commandName} ${example}`)].join('\n');
}

/** What does not fit its column goes above the rest. */
function line(head: string, text: string, column: number): string {
  return head.length < column
    ? `${head.padEnd(column)} ${text}`
    : `${head}\n${' '.repeat(column + 1)}${text}`;
}

/** Which word of a call is not a command, and what may have been meant. */
export async function findWrongWord(
  argv: readonly string[],
  commands: readonly CommandEntry[],
): Promise<string> {
  const [first = '', second = ''] = argv;
  const below = commands.filter(({ words }) => words.startsWith(`${first} `));
  const isBare = below.length > 0 && (second === '' || second.startsWith('-'));
  const known = below.map(({ words }) => words);
  if (isBare)
    return `${first} needs one more word: ${known.map((words) => `${commandName} ${words}`).join(', ')}`;
  const asked = below.length > 0 ? `${first} ${second}` : first;
  const words =
    below.length > 0 ? known : commands.flatMap((one) => [one.words, one.words.split(' ')[0] ?? '']);
  const { suggest } = await import('../text/suggest.ts');
  const nearest = suggest(`${first} ${second}`.trim(), words) ?? suggest(asked, words);
  const meant =
    nearest === undefined
      ? `${formatCommand('help')} lists them all.`
      : `Did you mean: ${formatCommand(nearest)}?`;
  return `There is no command ${asked}. ${meant}`;
}
