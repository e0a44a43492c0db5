import { parseArgs } from 'node:util';
import type { Command, Option } from '../table/option.ts';

/** The arguments and options of a command. */
export interface Call {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** Wrong arguments. Printed with the usage; exit code 2. */
export class UsageError extends Error {}

export async function parseCall(command: Command, argv: readonly string[]): Promise<Call> {
  const { values, positionals, tokens } = parseArgs({
    args: joinSort(argv),
    options: command.options,
    allowPositionals: true,
    // Not strict: the checks below give better messages.
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === 'option') await checkOption(command, token);
  checkPositionals(command, positionals);
  return { values, positionals };
}

/** Joins `--sort -date` to one word, because `-date` would be parsed as an option. */
function joinSort(argv: readonly string[]): string[] {
  return argv.flatMap((word, index) => {
    const isOrder = /^-[^-]/.test(word) && argv[index - 1] === '--sort';
    const takesOrder = word === '--sort' && /^-[^-]/.test(argv[index + 1] ?? '');
    return isOrder ? [`--sort=${word}`] : takesOrder ? [] : [word];
  });
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

async function checkOption(
  { options }: Command,
  { name, rawName, value, inlineValue }: OptionToken,
): Promise<void> {
  const option: Option | undefined = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const { suggest } = await import('../../text/suggest.ts');
    const nearest = suggest(name, Object.keys(options));
    throw new UsageError(
      `Unknown option: ${rawName}.${nearest === undefined ? '' : ` Did you mean --${nearest}?`}`,
    );
  }
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  if (option.type !== 'string') return;
  if (value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.placeholder}`);
  if (!inlineValue && value.startsWith('-'))
    throw new UsageError(
      `${rawName} needs a value. For a value that begins with a dash, write ${rawName}=${value}`,
    );
}

function checkPositionals({ parameters }: Command, positionals: readonly string[]): void {
  const extra = positionals[parameters.split(' ').filter((word) => word !== '').length];
  if (extra !== undefined && !parameters.includes('...'))
    throw new UsageError(`Unexpected argument: ${extra}`);
}

export function getPositional(call: Call, index: number, name: string): string {
  const value = call.positionals[index];
  if (value === undefined) throw new UsageError(`${name} is missing.`);
  return value;
}

export function getText(call: Call, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the parts of a comma-separated list. */
export function getList(call: Call, name: string): string[] | undefined {
  return getText(call, name)
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function getNumber(call: Call, name: string): number | undefined {
  const text = getText(call, name);
  return text === undefined ? undefined : parseWholeNumber(text, `--${name}`);
}

export function parseWholeNumber(text: string, name: string): number {
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(value) || value < 0) throw new UsageError(`${name} must be a whole number.`);
  return value;
}
