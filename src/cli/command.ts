import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ClientError } from '../client/client-error.ts';
import { type Config, loadConfig, type Settings } from '../config.ts';
import { AppError } from '../errors.ts';
import type { SqliteStore } from '../store/open-store.ts';
import { replaceUnseen } from '../text/unseen.ts';
import { cellWidth, padCell } from './print/cell.ts';

/** A command: what it takes, in one usage line each, and what it does. */
export interface Command {
  readonly usage: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  run(call: Call): Promise<void>;
}

export interface Call {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

export const dataOption = { data: { type: 'string' } } as const;
export const jsonOption = { json: { type: 'boolean' } } as const;

/** A call that does not fit the command; answered with the usage and exit code 2. */
export class UsageError extends Error {}

export function parseCall(command: Command, argv: readonly string[]): Call {
  try {
    const { values, positionals } = parseArgs({
      args: joinSort(argv),
      options: command.options,
      allowPositionals: true,
      strict: true,
    });
    return { values, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'bad arguments');
  }
}

/** A descending order is written `--sort -date`, which would be read as one more option. */
function joinSort(argv: readonly string[]): string[] {
  return argv.flatMap((word, index) => {
    const isOrder = /^-[^-]/.test(word) && argv[index - 1] === '--sort';
    const takesOrder = word === '--sort' && /^-[^-]/.test(argv[index + 1] ?? '');
    return isOrder ? [`--sort=${word}`] : takesOrder ? [] : [word];
  });
}

export function readConfig(call: Call): Config {
  return loadConfig(call.values as Settings);
}

/** Runs with the store of the call's data folder, and closes it whatever happens. */
export async function withStore<T>(
  call: Call,
  work: (store: SqliteStore, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(call);
  // Loaded here: a command that asks a server elsewhere starts in half the time without a database.
  const { openStore } = await import('../store/open-store.ts');
  const { setTimeZone } = await import('../schema-index/edit-catalog.ts');
  const store = await openStore(config.dataDirectory, (message) => console.error(`warning: ${message}`));
  try {
    await setTimeZone(store.write, config.timeZone);
    return await work(store, config);
  } finally {
    store.close();
  }
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

/** For a script the JSON, for a person the words. */
export function print(call: Call, json: unknown, text: string): void {
  console.log(call.values.json === true ? JSON.stringify(json) : plain(text));
}

/** Names in a store were written by others: what steers a terminal, or is not seen on it, is taken out before printing. */
export function plain(text: string): string {
  return replaceUnseen(text, () => '').replaceAll('\r', '');
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => cellWidth(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => padCell(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function parseWholeNumber(text: string | undefined, standard: number, name: string): number {
  if (text === undefined) return standard;
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(value) || value < 0) throw new UsageError(`--${name} takes a whole number`);
  return value;
}

const EXIT_CODES: Partial<Record<AppError['code'], number>> = {
  store_unusable: 3,
  not_found: 4,
  unknown_stream: 4,
  unknown_connection: 4,
  disk_full: 5,
  busy: 5,
  too_many_requests: 5,
  unauthorized: 6,
  grant_revoked: 6,
};

/**
 * 0 done, 1 a bug, 2 a call that makes no sense, 3 an unusable store, 4 something named is not there,
 * 5 try again, 6 refused: some lines of an ingest, or the access to a server, which is not given or has ended.
 */
export function exitCode(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (error instanceof ClientError) return error.exitCode;
  return error instanceof AppError ? (EXIT_CODES[error.code] ?? 2) : 1;
}
