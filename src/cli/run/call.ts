import { parseArgs } from 'node:util';
import type { CommandEntry, Option } from '../table/option.ts';

/** What somebody typed after a command. */
export interface Call {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** A call that does not fit the command; answered with the usage and exit code 2. */
export class UsageError extends Error {}

export async function parseCall(command: CommandEntry, argv: readonly string[]): Promise<Call> {
  const { values, positionals, tokens } = parseArgs({
    args: joinSort(argv),
    options: command.options,
    allowPositionals: true,
    // Not strict: what is wrong is said below, in our words.
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === 'option') await checkOption(command, token);
  checkPositionals(command, positionals);
  return { values, positionals };
}

/** A descending order is written `--sort -date`, which would be read as one more option. */
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
  { options }: CommandEntry,
  { name, rawName, value, inlineValue }: OptionToken,
): Promise<void> {
  const option: Option | undefined = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const { suggest } = await import('../../text/suggest.ts');
    const nearest = suggest(name, Object.keys(options));
    throw new UsageError(
      `There is no option ${rawName}.${nearest === undefined ? '' : ` Did you mean --${nearest}?`}`,
    );
  }
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  if (option.type !== 'string') return;
  if (value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.takes}`);
  if (!inlineValue && value.startsWith('-'))
    throw new UsageError(`${rawName} needs a value. If it begins with a dash: ${rawName}=${value}`);
}

function checkPositionals({ takes }: CommandEntry, positionals: readonly string[]): void {
  const places = takes.split(' ').filter((word) => word !== '');
  const extra = positionals[places.length];
  if (extra !== undefined && !takes.includes('...')) throw new UsageError(`There is no use for: ${extra}`);
}

export function getPositional(call: Call, index: number, name: string): string {
  const value = call.positionals[index];
  if (value === undefined) throw new UsageError(`${name} is missing`);
  return value;
}

export function getText(call: Call, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The parts of a list that is written with commas. */
export function getList(call: Call, name: string): string[] | undefined {
  return getText(call, name)
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function getNumber(call: Call, name: string): number | undefined {
  const text = getText(call, name);
  return text === undefined ? undefined : parseWholeNumber(text, 0, name);
}

export function parseWholeNumber(text: string | undefined, standard: number, name: string): number {
  if (text === undefined) return standard;
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(value) || value < 0) throw new UsageError(`--${name} takes a whole number`);
  return value;
}
