import type { Call } from '../run/call.ts';

/** An option of a command, in the form that `parseArgs` of Node takes, with its help text. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** The placeholder of its value, in capitals. FILE and DIR are completed as paths. */
  readonly placeholder?: string;
  /** One line of help. */
  readonly summary: string;
  /** All allowed values, if they are known here. */
  readonly values?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

export const flag = (summary: string): Option => ({ type: 'boolean', summary });

export const value = (placeholder: string, summary: string, values?: readonly string[]): Option => ({
  type: 'string',
  placeholder,
  summary,
  ...(values === undefined ? {} : { values }),
});

export const repeated = (option: Option): Option => ({ ...option, multiple: true });

const jsonOption: Options = { json: flag('Print the result as one JSON value') };
const dataOption: Options = { data: value('DIR', 'The data folder (default: $PDPP_DATA or ~/.pdpp)') };

/** For commands that use a data folder. */
export const folderOptions: Options = {
  ...dataOption,
  owner: value('NAME', 'The owner, if the server has several'),
  ...jsonOption,
};

/** For commands that change which owners a server has. */
export const ownerListOptions: Options = { ...dataOption, ...jsonOption };

/** For commands that start the server or print its address. */
export const addressOptions: Options = {
  port: value('N', 'The port to listen on (default: 7733)'),
  host: value('ADDRESS', 'The address to listen on (default: 127.0.0.1)'),
  'public-url': value('URL', 'The address that others use, such as https://data.example'),
};

export const serveOptions: Options = {
  ...dataOption,
  ...addressOptions,
  'time-zone': value('ZONE', 'Your time zone, such as Europe/Berlin'),
  'trusted-proxy': value('ADDRESSES', 'Reverse proxies whose X-Forwarded-For header is trusted'),
  'calls-per-minute': value('N', 'Calls per minute for each app (default: 2400)'),
  'work-per-minute': value('SECONDS', 'Processing time per minute for each app (default: 40)'),
  workers: value('N', 'Threads that run tools (default: 2)'),
  'call-timeout': value('SECONDS', 'Time limit of a tool call (default: 10)'),
  connections: value('N', 'Open connections at a time (default: 500)'),
  'audit-days': value('N', 'Days to keep the log of reads (default: 400)'),
  'audit-mb': value('N', 'Maximum size of the log of reads in MB (default: 500)'),
  'backup-to': value('DIR', 'Make backups into this folder by schedule'),
  'backup-every': value('DURATION', 'The time between two backups, such as 12h or 7d (default: 1d)'),
  'backup-keep': value('N', 'The number of scheduled backups to keep (default: 7)'),
  watch: value('DIR', 'Import exports that appear in this folder'),
};

/** Every format that `import --as` takes. Listed here because loading the importers would delay shell completion. */
export const formats: readonly string[] =
  'amazon apple-health apple-notes bank-csv bear browser calendar camt chatgpt claude claude-code codex contacts day-one discord evernote facebook generic github gmail goodreads google-activity google-calendar google-keep google-location google-photos google-voice imessage instagram instapaper kindle lastfm letterboxd line linkedin listenbrainz mail markdown mastodon mt940 netflix notion ofx omnivore pinboard pocket qif raindrop readwise reddit signal slack sms-backup snapchat spotify strava telegram tiktok tracks trakt wallabag whatsapp x ynab'.split(
    ' ',
  );

/** Settings of accounts. Each kind has some of them. */
export const accountOptions: Options = {
  ...folderOptions,
  user: value('NAME', 'Mail address or user name'),
  server: value('HOST', 'The server, if the provider is not known'),
  url: value('URL', 'The address of a feed or a folder'),
  type: value('TYPE', 'The type of a feed, if it is not detected'),
  port: value('N', 'The port, if it is not the usual one'),
  security: value('MODE', 'How the connection is encrypted', ['tls', 'starttls']),
  idle: value('YESNO', 'Whether the server reports new mail at once (default: yes)', ['yes', 'no']),
  'keep-files': flag('Keep the files attached to new mails in the data folder'),
  command: value('COMMAND', 'The command of a Singer tap'),
  config: value('FILE', 'The configuration of the tap'),
  catalog: value('FILE', 'The catalog of the tap'),
  name: value('NAME', 'A name for the tap'),
  connection: value('ID', 'Sync into this connection, such as one that you imported'),
  collections: value('A,B', 'Only these folders, calendars or address books'),
  interval: value('MINUTES', 'Time between syncs (default: 15)'),
  'password-file': value('FILE', 'A file with the password; - is stdin'),
  'private-network': flag('Allow private addresses, for a server at home'),
};

export const importOptions: Options = {
  ...folderOptions,
  as: value('FORMAT', 'The format, if it is not detected', formats),
  importer: value('FILE', 'Read the files with your own importer'),
  connection: value('ID', 'Import into this connection'),
  name: value('NAME', 'The name of a new connection'),
  'time-zone': value('ZONE', 'The time zone of times without one'),
  'day-first': flag('Read 1/2/2026 as 1 February'),
  'month-first': flag('Read 1/2/2026 as 2 January'),
  declare: value('FILE', 'Write the detected fields to FILE, or import with an edited FILE'),
  'dry-run': flag('Show what would be imported, without importing it'),
  'keep-files': flag('Keep the files attached to mails, chats and notes in the data folder'),
};

/** For commands that look for a stored connection to a server. */
export const clientFolderOption: Options = {
  folder: value('DIR', 'Look for connected servers only in this folder and its parents'),
};

export const connectOptions: Options = {
  name: value('NAME', 'A name for the server (default: its host)'),
  device: flag('Approve on another device by entering a code'),
  'no-browser': flag('Print the link to open, and paste the final address here'),
  'client-id': value('ID', 'A client ID that is registered with the server'),
  'client-secret-file': value('FILE', 'A file with the secret of that client'),
  folder: value('DIR', 'Connect only for this folder and those below it (default: all folders)'),
  ...jsonOption,
};

export const disconnectOptions: Options = { ...clientFolderOption, ...jsonOption };

const readOptions: Options = {
  server: value('NAME', 'The server, if several are connected'),
  connection: value('ID', 'Only this connection, or * for all connections of one source'),
  ...disconnectOptions,
};

const filterOptions: Options = {
  where: repeated(value('FIELD=VALUE', 'Only matching records; also > >= < <= !=')),
  filter: value('JSON', 'A filter in JSON, as the tools accept it'),
};

export const schemaOptions: Options = { full: flag('Include the JSON Schema'), ...readOptions };

export const queryOptions: Options = {
  ...filterOptions,
  fields: value('A,B', 'Only these fields'),
  sort: value('FIELD', 'Sort by a field; -FIELD sorts descending'),
  limit: value('N', 'Records per page (default: 25, maximum: 100)'),
  count: flag('Count all matching records'),
  all: flag('Fetch every page'),
  cursor: value('CURSOR', 'Continue after the page that printed this cursor'),
  expand: value('A,B', 'Include related records'),
  'changes-since': value('HANDLE', 'Only changes since the call that printed this handle'),
  ...readOptions,
};

export const aggregateOptions: Options = {
  metric: value('METRIC', 'What to calculate (default: count)', [
    'count',
    'count_distinct',
    'sum',
    'avg',
    'min',
    'max',
  ]),
  field: value('FIELD', 'The field to calculate with'),
  'group-by': value('A,B', 'Group by one or two fields'),
  interval: value('INTERVAL', 'Group by time', ['hour', 'day', 'week', 'month', 'quarter', 'year']),
  'time-zone': value('ZONE', "The time zone of the intervals (default: the owner's)"),
  ...filterOptions,
  sort: value('ORDER', 'Sort the groups; -value puts the largest first', [
    'value',
    '-value',
    'group',
    '-group',
  ]),
  limit: value('N', 'The number of groups'),
  bars: flag('Draw a bar for each group, even if the output is piped'),
  ...readOptions,
};

export const searchOptions: Options = {
  also: repeated(value('WORDS', 'Other words for the same thing, in any language; up to five times')),
  streams: value('A,B', 'Only these streams'),
  since: value('TIME', 'From this time on, such as 2026-01-31 or last_365_days'),
  until: value('TIME', 'Up to this time'),
  ...filterOptions,
  limit: value('N', 'The number of results'),
  cursor: value('CURSOR', 'Continue after the page that printed this cursor'),
  ...readOptions,
};

export const fetchOptions: Options = {
  fields: value('A,B', 'Only these fields'),
  field: value('FIELD', 'Only the text of this field'),
  offset: value('N', 'Start at this character'),
  all: flag('Print the whole text'),
  expand: value('A,B', 'Include related records'),
  ...readOptions,
};

export type Run = (call: Call, commands: readonly Command[]) => Promise<void>;

/** One command: read by the help, the shell completion and the argument parser. */
export interface Command {
  /** What is typed after the program's name: one word or two. */
  readonly name: string;
  /** The positional arguments in capitals. Brackets mark optional ones, dots repeated ones. */
  readonly parameters: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly options: Options;
  /** Example calls, without the program's name. */
  readonly examples: readonly string[];
  /** The allowed values of the first argument, if they are known here. */
  readonly values?: readonly string[];
  /** Loads the command's code when it runs, so that other commands start faster. */
  load(): Promise<Run>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** A command that takes no arguments, has the options of a data folder and needs no example, unless it says otherwise. */
type CommandDefinition = Pick<Command, 'name' | 'summary' | 'load'> & Partial<Command>;

export function defineGroup(title: string, definitions: readonly CommandDefinition[]): CommandGroup {
  const commands = definitions.map((definition) => ({
    parameters: '',
    options: folderOptions,
    examples: [definition.name],
    ...definition,
  }));
  return { title, commands };
}
