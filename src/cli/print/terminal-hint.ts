import { type FormatPart, formatHint, type Hint, type ToolCall } from '../../text/hint.ts';
import { formatCommand } from '../run/how-started.ts';

/** The command of each tool, and its positional argument. */
const COMMANDS: Record<string, { command: string; first: string }> = {
  schema: { command: 'schema', first: 'stream' },
  query_records: { command: 'query', first: 'stream' },
  aggregate: { command: 'aggregate', first: 'stream' },
  search: { command: 'search', first: 'query' },
  fetch: { command: 'fetch', first: 'id' },
};

/** Arguments whose option has another name. */
const OPTIONS: Record<string, string> = {
  connection_id: 'connection',
  changes_since: 'changes-since',
  group_by: 'group-by',
  time_zone: 'time-zone',
  filter: 'where',
};

/** Formats a hint for the terminal. */
export function formatForTerminal(hint: Hint): string {
  return formatHint(hint, formatPart);
}

const formatPart: FormatPart = (part) => {
  if ('command' in part) return formatCommand(part.command, part.rest);
  if ('argument' in part) return formatOption(part.argument);
  return 'tool' in part ? formatCall(part) : part.terminal;
};

function formatOption(argument: string): string {
  if (Object.values(COMMANDS).some(({ first }) => first === argument)) return argument;
  return `--${OPTIONS[argument] ?? argument}`;
}

/** Formats `schema(stream, detail: "full")` as `pdpp schema STREAM --full`. */
function formatCall({ tool, args = {} }: ToolCall): string {
  const { command, first } = COMMANDS[tool] ?? { command: tool, first: '' };
  const options = Object.entries(args).map(([name, value]) => {
    if (name === 'detail') return `--${value ?? 'full'}`;
    const shown = value ?? (name.endsWith('_id') ? 'ID' : name.toUpperCase());
    return name === first ? shown : `${formatOption(name)} ${shown}`;
  });
  return [formatCommand(command), ...options].join(' ');
}
