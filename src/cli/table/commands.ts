import { accessCommands } from './access-commands.ts';
import { clientCommands } from './client-commands.ts';
import type { CommandEntry, CommandGroup } from './command-entry.ts';
import { dataCommands } from './data-commands.ts';
import { runCommands } from './run-commands.ts';
import { shellCommands } from './shell-commands.ts';

/** Every command, in the order in which somebody meets them. */
export const groups: readonly CommandGroup[] = [
  runCommands,
  dataCommands,
  accessCommands,
  clientCommands,
  shellCommands,
];

export const commands: readonly CommandEntry[] = groups.flatMap((group) => group.commands);

/** The command that the first words of a call name: the longest, so that `import list` is not a path to import. */
export function findCommand(argv: readonly string[]): CommandEntry | undefined {
  const find = (words: string) => commands.find((command) => command.words === words);
  return find(argv.slice(0, 2).join(' ')) ?? find(argv[0] ?? '');
}
