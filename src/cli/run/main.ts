import { ClientError } from '../../client/client-error.ts';
import { AppError } from '../../errors.ts';
import { findStoreError } from '../../store/store-error.ts';
import { version } from '../../version.ts';
import { describeCommand, writeHelp, writeUsage } from '../help.ts';
import { plain } from '../print/print.ts';
import { formatForTerminal } from '../print/terminal-words.ts';
import type { CommandEntry } from '../table/command-entry.ts';
import { commands, findCommand, groups } from '../table/commands.ts';
import { parseCall, UsageError } from './call.ts';
import { exitCode } from './exit-code.ts';
import { findWrongWord } from './find-wrong-word.ts';

const HELP = ['-h', '--help'];

/** Runs the command that the words name. Whatever goes wrong is said on stderr and by the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const [first] = argv;
  if (first === undefined || HELP.includes(first) || (first === 'help' && argv.length === 1))
    return console.log(writeHelp(groups));
  if (first === '--version' || first === '-v') return console.log(version);
  const command = findCommand(argv);
  if (command === undefined) {
    const below = commands.filter(({ words }) => words.startsWith(`${first} `));
    // `pdpp grant --help` asks for what `pdpp help grant` says.
    if (below.length > 0 && HELP.includes(argv[1] ?? '')) return main(['help', first]);
    return fail(new UsageError(await findWrongWord(argv, commands)));
  }
  const rest = argv.slice(command.words.split(' ').length);
  if (rest.some((word) => HELP.includes(word))) return console.log(describeCommand(command));
  try {
    const call = await parseCall(command, rest);
    const run = await command.load();
    await run(call, commands);
  } catch (thrown) {
    fail(findStoreError(thrown) ?? thrown, command);
  }
}

/** Says what was wrong, on stderr and by the exit code. */
function fail(error: unknown, command?: CommandEntry): void {
  process.exitCode = exitCode(error);
  if (error instanceof UsageError) {
    console.error(plain([error.message, ...(command === undefined ? [] : [writeUsage(command)])].join('\n')));
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
