import type { CommandEntry } from '../table/command-entry.ts';
import { commandName, formatCommand } from './how-started.ts';

/** Which word of a call is not a command, and what may have been meant. */
export async function findWrongWord(
  argv: readonly string[],
  commands: readonly CommandEntry[],
): Promise<string> {
  const [first = '', second = ''] = argv;
  const below = commands.filter(({ words }) => words.startsWith(`${first} `));
  const isBare = below.length > 0 && (second === '' || second.startsWith('-'));
  const known = below.map(({ words }) => words);
  if (isBare)
    return `${first} needs one more word: ${known.map((words) => `${commandName} ${words}`).join(', ')}`;
  const asked = below.length > 0 ? `${first} ${second}` : first;
  const words =
    below.length > 0 ? known : commands.flatMap((one) => [one.words, one.words.split(' ')[0] ?? '']);
  const { suggest } = await import('../../text/suggest.ts');
  const nearest = suggest(`${first} ${second}`.trim(), words) ?? suggest(asked, words);
  const meant =
    nearest === undefined
      ? `${formatCommand('help')} lists them all.`
      : `Did you mean: ${formatCommand(nearest)}?`;
  return `There is no command ${asked}. ${meant}`;
}
