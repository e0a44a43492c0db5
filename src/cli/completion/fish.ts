import type { CommandEntry, Option } from '../table/option.ts';
import { takesPath } from './completed.ts';

/** For `pdpp completion fish > ~/.config/fish/completions/pdpp.fish`. */
export function writeFish(commands: readonly CommandEntry[]): string {
  return [
    '# fish completion for pdpp',
    'complete -c pdpp -f',
    ...commands.flatMap((command) => [writeCommand(command), ...writeRest(command)]),
  ].join('\n');
}

/** Each word is offered where the words before it are those of the command. */
function writeCommand({ words, says }: CommandEntry): string {
  const [first = '', second] = words.split(' ');
  if (second === undefined) return complete('__fish_is_nth_token 1', `-a ${quote(first)} -d ${quote(says)}`);
  return [
    complete('__fish_is_nth_token 1', `-a ${quote(first)}`),
    complete(
      `__fish_seen_subcommand_from ${first}; and __fish_is_nth_token 2`,
      `-a ${quote(second)} -d ${quote(says)}`,
    ),
  ].join('\n');
}

function writeRest({ words, options, takes, values }: CommandEntry): string[] {
  const when = `string match -q -- ${quote(`pdpp ${words} *`)} (commandline -opc | string join ' ')' '`;
  const named = Object.entries(options).map(([name, option]) =>
    complete(when, `-l ${name} -d ${quote(option.says)}${writeValue(option)}`),
  );
  const paths = /FILE|DIR|PATH|BACKUP|FOLDER/.test(takes) ? [complete(when, '-F')] : [];
  const known = values === undefined ? [] : [complete(when, `-a ${quote(values.join(' '))}`)];
  return [...named, complete(when, `-l help -d 'say more about it'`), ...paths, ...known];
}

function writeValue(option: Option): string {
  if (option.type === 'boolean') return '';
  if (option.values !== undefined) return ` -x -a ${quote(option.values.join(' '))}`;
  return takesPath(option) ? ' -r -F' : ' -x';
}

function complete(when: string, what: string): string {
  return `complete -c pdpp -n ${quote(when)} ${what}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
