import { writeBash } from './completion/bash.ts';
import { writeFish } from './completion/fish.ts';
import { writeZsh } from './completion/zsh.ts';
import { type Call, getPositional, UsageError } from './run/call.ts';
import type { CommandEntry } from './table/option.ts';

const shells: Record<string, (commands: readonly CommandEntry[]) => string> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

/** What a shell reads to complete our commands, made of the same table as the help. */
export async function completion(call: Call, commands: readonly CommandEntry[]): Promise<void> {
  const shell = getPositional(call, 0, 'SHELL');
  const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (write === undefined) throw new UsageError(`SHELL is one of ${Object.keys(shells).join(', ')}`);
  console.log(write(commands));
}
