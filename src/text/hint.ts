/** A command of this program with its arguments. */
interface Command {
  readonly command: string;
  readonly rest?: string | undefined;
}

/** A call of a tool. An argument without a value is a placeholder that the reader fills in. */
export interface ToolCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, string | null>> | undefined;
}

/** An argument of a tool, by its name. */
interface Argument {
  readonly argument: string;
}

/** A text with one version for models and one for the terminal. */
interface Wording {
  readonly model: string;
  readonly terminal: string;
}

type Part = Command | ToolCall | Argument | Wording;

/** A text with commands, tool calls and arguments, which each surface formats differently. */
export type Hint = string | readonly (string | Part)[];

/** Formats a part that is not plain text. */
export type FormatPart = (part: Part) => string;

export function hint(texts: TemplateStringsArray, ...parts: readonly (Hint | Part)[]): Hint {
  return texts.flatMap((text, index) => [text, ...[parts[index] ?? ''].flat()]).filter((part) => part !== '');
}

export function command(words: string, rest?: string): Command {
  return rest === undefined ? { command: words } : { command: words, rest };
}

export function toolCall(tool: string, args?: Record<string, string | null>): ToolCall {
  return args === undefined ? { tool } : { tool, args };
}

export function argument(name: string): Argument {
  return { argument: name };
}

export function wording(model: string, terminal: string): Wording {
  return { model, terminal };
}

/** Formats a hint, by default for models and REST clients. */
export function formatHint(hint: Hint, formatPart: FormatPart = formatForModel): string {
  if (typeof hint === 'string') return hint;
  return hint.map((part) => (typeof part === 'string' ? part : formatPart(part))).join('');
}

function formatForModel(part: Part): string {
  if ('command' in part) return ['pdpp', part.command, part.rest ?? []].flat().join(' ');
  if ('argument' in part) return part.argument;
  if ('model' in part) return part.model;
  if (part.args === undefined) return part.tool;
  const args = Object.entries(part.args).map(([name, value]) =>
    value === null ? name : `${name}: ${JSON.stringify(value)}`,
  );
  return `${part.tool}(${args.join(', ')})`;
}

/** Formats a command as it works for the reader. */
export type FormatCommand = (words: string, rest?: string) => string;

/** Formats commands with the given function, and everything else as for models. */
export function withCommands(formatCommand: FormatCommand): FormatPart {
  return (part) => ('command' in part ? formatCommand(part.command, part.rest) : formatForModel(part));
}

/** Texts that several hints share. */
export const CALL = wording('Call', 'Run');
export const CONNECTOR_KEY = wording('connector_key', 'connector key');

/** The `_meta` key that requests the parts of a refusal, and that contains them in the result. */
export const PARTS_KEY = 'pdpp.dev/parts';
