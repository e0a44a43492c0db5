import type { CommandGroup } from './command-entry.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** About the program itself. */
export const shellCommands: CommandGroup = {
  title: 'And',
  commands: [
    {
      words: 'completion',
      takes: 'SHELL',
      says: 'what makes a shell complete commands: bash, zsh or fish',
      options: {},
      examples: ['completion bash', 'completion fish > ~/.config/fish/completions/pdpp.fish'],
      values: SHELLS,
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
