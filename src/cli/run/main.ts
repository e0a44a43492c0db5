import { ClientError } from '../../client/client-error.ts';
import { AppError } from '../../errors.ts';
import { findStoreError } from '../../store/store-error.ts';
import { version } from '../../version.ts';
import { describeUnknown, formatCommandHelp, formatHelp, formatUsage } from '../help.ts';
import { plain } from '../print/print.ts';
import { formatForTerminal } from '../print/terminal-hint.ts';
import { commands, findCommand, groups } from '../table/commands.ts';
import type { Command } from '../table/option.ts';
import { parseCall, UsageError } from './call.ts';
import { findModuleError } from './missing-module.ts';

const HELP = ['-h', '--help'];

/** Runs the command that the arguments name. Reports errors on stderr and by the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const [first] = argv;
  if (first === undefined || HELP.includes(first) || (first === 'help' && argv.length === 1))
    return console.log(formatHelp(groups));
  if (first === '--version' || first === '-v') return console.log(version);
  const command = findCommand(argv);
  if (command === undefined) {
    const below = commands.filter(({ name }) => name.startsWith(`${first} `));
    // `pdpp grant --help` is the same as `pdpp help grant`.
    if (below.length > 0 && HELP.includes(argv[1] ?? '')) return main(['help', first]);
    return fail(new UsageError(await describeUnknown(argv, commands)));
  }
  const rest = argv.slice(command.name.split(' ').length);
  if (rest.some((word) => HELP.includes(word))) return console.log(formatCommandHelp(command));
  try {
    const call = await parseCall(command, rest);
    const run = await command.load();
    await run(call, commands);
  } catch (thrown) {
    fail(findStoreError(thrown) ?? findModuleError(thrown) ?? thrown, command);
  }
}

function fail(error: unknown, command?: Command): void {
  process.exitCode = exitCode(error);
  if (error instanceof UsageError) {
    console.error(
      plain([error.message, ...(command === undefined ? [] : [formatUsage(command)])].join('\n')),
    );
  } else if (error instanceof AppError || error instanceof ClientError) console.error(plain(describe(error)));
  else console.error(error);
}

function describe(error: AppError | ClientError): string {
  const facts = Object.entries(error.details).map(
    ([name, value]) => `  ${name.replaceAll('_', ' ')}: ${[value].flat().join('\n    ')}`,
  );
  const { message, hint = [] } = error.parts;
  return [formatForTerminal(message), ...facts, ...(hint.length === 0 ? [] : [formatForTerminal(hint)])].join(
    '\n',
  );
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
 * 0 success, 1 a bug, 2 wrong arguments, 3 an unusable store, 4 not found, 5 try again, 6 refused: some lines of an
 * ingest, or access to a server that was denied or has ended.
 */
export function exitCode(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (error instanceof ClientError) return error.exitCode;
  return error instanceof AppError ? (EXIT_CODES[error.code] ?? 2) : 1;
}
