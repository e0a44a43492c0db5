import type { Call } from '../run/call.ts';
import type { Options } from './option.ts';

export type Run = (call: Call, commands: readonly CommandEntry[]) => Promise<void>;

/** One command, as the help, the completion and the reading of its options know it. */
export interface CommandEntry {
  /** What is typed after the program's name: one word or two. */
  readonly words: string;
  /** What follows them, in capitals; brackets may be left out, dots may be repeated. */
  readonly takes: string;
  /** One line, for the list of all commands. */
  readonly says: string;
  readonly options: Options;
  /** Calls that make sense, without the program's name. */
  readonly examples: readonly string[];
  /** What may stand in the place of the first word it takes, where that is known here. */
  readonly values?: readonly string[];
  /** Loaded only when the command is run: nobody waits for what is not used. */
  load(): Promise<Run>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}
