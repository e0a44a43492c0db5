import { version } from '../version.ts';
import { plain } from './print/print.ts';
import { type Call, UsageError } from './run/call.ts';
import { commandName, formatCommand } from './run/how-started.ts';
import type { Command, CommandGroup } from './table/option.ts';

const NAME_COLUMNS = 20;

/** Prints `help query`, or the commands of a group: `help grant`. */
export async function help(call: Call, commands: readonly Command[]): Promise<void> {
  const asked = call.positionals.join(' ');
  const exact = commands.find(({ name }) => name === asked);
  const subcommands = commands.filter(({ name }) => name.startsWith(`${asked} `));
  if (exact === undefined && subcommands.length === 0)
    throw new UsageError(await describeUnknown(call.positionals, commands));
  const list = listCommands(subcommands);
  const parts =
    exact === undefined
      ? [list]
      : [formatCommandHelp(exact), ...(subcommands.length === 0 ? [] : [`See also\n${list}`])];
  console.log(plain(parts.join('\n\n')));
}

/** Formats the list of all commands. */
export function formatHelp(groups: readonly CommandGroup[]): string {
  const lists = groups.map(({ title, commands }) => `${title}\n${listCommands(commands)}`);
  const examples = ['serve', 'import ~/Downloads/takeout.zip', 'query transactions --sort -amount --limit 5'];
  return [
    `pdpp ${version}: your own data, for the AI apps you choose\n\nUsage: ${commandName} COMMAND [options]`,
    ...lists,
    formatExamples(examples),
    `Run ${commandName} help COMMAND for the options of a command.`,
  ].join('\n\n');
}

/** Formats the help of one command. */
export function formatCommandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const head = `  --${[name, option.placeholder].filter(Boolean).join(' ')}`;
    const values = option.values === undefined ? '' : `: ${option.values.join(', ')}`;
    return formatLine(
      head,
      `${option.summary}${values}${option.multiple ? ' (repeatable)' : ''}`,
      NAME_COLUMNS + 8,
    );
  });
  return [
    `${formatUsage(command)}\n\n${command.summary}.`,
    ...(options.length === 0 ? [] : [`Options\n${options.join('\n')}`]),
    formatExamples(command.examples),
  ].join('\n\n');
}

export function formatUsage({ name, parameters, options }: Command): string {
  const rest = Object.keys(options).length === 0 ? '' : '[options]';
  return `Usage: ${[commandName, name, parameters, rest].filter((part) => part !== '').join(' ')}`;
}

function listCommands(commands: readonly Command[]): string {
  return commands.map(({ name, summary }) => formatLine(`  ${name}`, summary, NAME_COLUMNS)).join('\n');
}

function formatExamples(examples: readonly string[]): string {
  return ['Examples', ...examples.map((example) => `  ${commandName} ${example}`)].join('\n');
}

/** Puts a head that is wider than its column on a line of its own. */
function formatLine(head: string, text: string, column: number): string {
  return head.length < column
    ? `${head.padEnd(column)} ${text}`
    : `${head}\n${' '.repeat(column + 1)}${text}`;
}

/** Says which word is not a command, and suggests one. */
export async function describeUnknown(
  argv: readonly string[],
  commands: readonly Command[],
): Promise<string> {
  const [first = '', second = ''] = argv;
  const subcommands = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `));
  if (subcommands.length > 0 && (second === '' || second.startsWith('-')))
    return `${first} needs a subcommand: ${subcommands.map((name) => `${commandName} ${name}`).join(', ')}`;
  const asked = subcommands.length > 0 ? `${first} ${second}` : first;
  const names =
    subcommands.length > 0 ? subcommands : commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? '']);
  const { suggest } = await import('../text/suggest.ts');
  const nearest = suggest(`${first} ${second}`.trim(), names) ?? suggest(asked, names);
  const next =
    nearest === undefined
      ? `Run ${formatCommand('help')} for a list of commands.`
      : `Did you mean: ${formatCommand(nearest)}?`;
  return `Unknown command: ${asked}. ${next}`;
}
