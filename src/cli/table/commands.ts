import { accessCommands } from './access-commands.ts';
import { clientCommands } from './client-commands.ts';
import { dataCommands } from './data-commands.ts';
import type { CommandEntry, CommandGroup } from './option.ts';
import { runCommands } from './run-commands.ts';

/** About the program itself. */
const shellCommands: CommandGroup = {
  title: 'And',
  commands: [
    {
      words: 'completion',
      takes: 'SHELL',
      says: 'what makes a shell complete commands: bash, zsh or fish',
      options: {},
      examples: ['completion bash', 'completion fish > ~/.config/fish/completions/pdpp.fish'],
      values: ['bash', 'zsh', 'fish'],
      load: async () => (await import('../completion.ts')).completion,
    },
    {
      words: 'help',
      takes: '[COMMAND ...]',
      says: 'this list, or everything about one command',
      options: {},
      examples: ['help query'],
      load: async () => (await import('../help.ts')).help,
    },
  ],
};

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
