import type { Call } from '../run/call.ts';

/** What may follow a command with two dashes. Also what `parseArgs` of Node takes. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** What is written after it, in capitals; a file or a folder is completed as one. */
  readonly takes?: string;
  /** One line of help. */
  readonly says: string;
  /** All that may be written after it, where that is known here. */
  readonly values?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

export const flag = (says: string): Option => ({ type: 'boolean', says });

export const value = (takes: string, says: string, values?: readonly string[]): Option => ({
  type: 'string',
  takes,
  says,
  ...(values === undefined ? {} : { values }),
});

export const severalOf = (option: Option): Option => ({ ...option, multiple: true });

export const jsonOption: Options = { json: flag('print one JSON value, for a script') };

/** For commands that look after a data folder. */
export const folderOptions: Options = {
  data: value('DIR', 'the data folder (default: $PDPP_DATA or ~/.pdpp)'),
  ...jsonOption,
};

/** Where the server listens and how it is called, for those who start it or print its address. */
export const addressOptions: Options = {
  port: value('N', 'the port to listen on (default: 7733)'),
  host: value('ADDRESS', 'the address to listen on (default: 127.0.0.1)'),
  'public-url': value('URL', 'the address that others use, such as https://data.example'),
};

/** For commands that use the access to a server. */
export const placeOption: Options = {
  folder: value('DIR', 'look for the access in this folder and above it, and nowhere else'),
};

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
