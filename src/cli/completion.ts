import { type Call, getPositional, UsageError } from './run/call.ts';
import type { Command, Option } from './table/option.ts';

const SHELLS: Record<string, (commands: readonly Command[]) => string> = {
  bash: formatBash,
  zsh: formatZsh,
  fish: formatFish,
};

/** Prints a completion script, generated from the command table. */
export async function completion(call: Call, commands: readonly Command[]): Promise<void> {
  const shell = getPositional(call, 0, 'SHELL');
  const format = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (format === undefined) throw new UsageError(`SHELL must be one of: ${Object.keys(SHELLS).join(', ')}`);
  console.log(format(commands));
}

/** Lists the words that can be typed first. */
function listFirstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] as string))];
}

/** Lists the words that can follow each first word. */
function listSecondWords(commands: readonly Command[]): [first: string, words: string[]][] {
  const pairs = commands.flatMap(({ name, values = [] }) => {
    const [first = '', second] = name.split(' ');
    return second === undefined ? values.map((value) => [first, value]) : [[first, second]];
  });
  return [...new Set(pairs.map(([first = '']) => first))].map((first) => [
    first,
    pairs.filter(([one]) => one === first).map(([, second = '']) => second),
  ]);
}

const listTwoWordNames = (commands: readonly Command[]) =>
  commands.map(({ name }) => name).filter((name) => name.includes(' '));

const takesPath = ({ placeholder = '' }: Option) => ['FILE', 'DIR'].includes(placeholder);

/** For `eval "$(pdpp completion bash)"`. Without a match, bash completes file names as usual. */
function formatBash(commands: readonly Command[]): string {
  const secondWords = listSecondWords(commands).map(
    ([first, words]) => `    ${first}) second="${words.join(' ')}" ;;`,
  );
  const options = commands.map(
    ({ name, options }) =>
      `    "${name}") options="${[...Object.keys(options), 'help'].map((option) => `--${option}`).join(' ')}" ;;`,
  );
  // After an option with known values, these are offered; after other options, bash completes as usual.
  const values = commands.flatMap(({ name, options }) =>
    Object.entries(options)
      .filter(([, option]) => option.type === 'string')
      .map(([option, { values: known }]) => {
        const reply =
          known === undefined ? '' : `COMPREPLY=( $(compgen -W "${known.join(' ')}" -- "$word") ); `;
        return `    "${name} --${option}") ${reply}return ;;`;
      }),
  );
  return `# bash completion for pdpp
_pdpp() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local first="\${COMP_WORDS[1]}" command="\${COMP_WORDS[1]}" second="" options=""
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=( $(compgen -W "${listFirstWords(commands).join(' ')} --help --version" -- "$word") )
    return
  fi
  case "$first" in
${secondWords.join('\n')}
  esac
  if (( COMP_CWORD == 2 )) && [[ $word != -* ]]; then
    COMPREPLY=( $(compgen -W "$second" -- "$word") )
    return
  fi
  case "$first \${COMP_WORDS[2]}" in
    ${listTwoWordNames(commands)
      .map((name) => `"${name}"`)
      .join('|')}) command="$first \${COMP_WORDS[2]}" ;;
  esac
  case "$command $before" in
${values.join('\n')}
  esac
  [[ $word == -* ]] || return
  case "$command" in
${options.join('\n')}
  esac
  COMPREPLY=( $(compgen -W "$options" -- "$word") )
}
complete -o default -F _pdpp pdpp`;
}

/** For `pdpp completion zsh > "${fpath[1]}/_pdpp"`, or to be evaluated. */
function formatZsh(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const escapeText = (text: string) => text.replaceAll(/[[\]:]/g, '\\$&');
  const describeFirst = (first: string) => {
    const command = commands.find(({ name }) => name === first);
    return quote(command === undefined ? first : `${first}:${command.summary}`);
  };
  const formatOption = ([name, option]: [string, Option]) => {
    const known = option.values === undefined ? undefined : `(${option.values.join(' ')})`;
    const action = known ?? (takesPath(option) ? '_files' : ' ');
    const value = option.type === 'boolean' ? '' : `:${escapeText(option.placeholder ?? '')}:${action}`;
    return quote(`${option.multiple ? '*' : ''}--${name}[${escapeText(option.summary)}]${value}`);
  };
  const formatRest = ({ values, parameters }: Command) => {
    if (values !== undefined) return [quote(`1:word:(${values.join(' ')})`)];
    return parameters === '' ? [] : ["'*:word:_files'"];
  };
  const cases = commands.map((command) => {
    const options = Object.entries(command.options).map(formatOption);
    const all = [...options, "'--help[Show help]'", ...formatRest(command)];
    return `    (${quote(command.name)}) _arguments ${all.join(' ')} ;;`;
  });
  const secondWords = listSecondWords(commands).map(
    ([first, words]) => `      (${first}) offered=( ${words.map(quote).join(' ')} ) ;;`,
  );
  return `#compdef pdpp
_pdpp() {
  local -a offered
  local command="$words[2]" taken=1
  if (( CURRENT == 2 )); then
    offered=( ${listFirstWords(commands).map(describeFirst).join(' ')} )
    _describe command offered
    return
  fi
  if (( CURRENT == 3 )); then
    case "$words[2]" in
${secondWords.join('\n')}
    esac
    (( $#offered )) && _describe command offered
  fi
  case "$words[2] $words[3]" in
    (${listTwoWordNames(commands).map(quote).join('|')}) command="$words[2] $words[3]"; taken=2 ;;
  esac
  shift $taken words
  (( CURRENT -= taken ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pdpp "$@"; else compdef _pdpp pdpp; fi`;
}

/** For `pdpp completion fish > ~/.config/fish/completions/pdpp.fish`. */
function formatFish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const complete = (when: string, what: string) => `complete -c pdpp -n ${quote(when)} ${what}`;
  const formatName = ({ name, summary }: Command) => {
    const [first = '', second] = name.split(' ');
    const describe = (word: string) => `-a ${quote(word)} -d ${quote(summary)}`;
    if (second === undefined) return [complete('__fish_is_nth_token 1', describe(first))];
    return [
      complete('__fish_is_nth_token 1', `-a ${quote(first)}`),
      complete(`__fish_seen_subcommand_from ${first}; and __fish_is_nth_token 2`, describe(second)),
    ];
  };
  const formatValue = (option: Option) => {
    if (option.type === 'boolean') return '';
    if (option.values !== undefined) return ` -x -a ${quote(option.values.join(' '))}`;
    return takesPath(option) ? ' -r -F' : ' -x';
  };
  const formatRest = ({ name, options, parameters, values }: Command) => {
    const when = `string match -q -- ${quote(`pdpp ${name} *`)} (commandline -opc | string join ' ')' '`;
    return [
      ...Object.entries(options).map(
        ([option, one]) => `-l ${option} -d ${quote(one.summary)}${formatValue(one)}`,
      ),
      `-l help -d 'Show help'`,
      ...(/FILE|DIR|PATH|BACKUP|FOLDER/.test(parameters) ? ['-F'] : []),
      ...(values === undefined ? [] : [`-a ${quote(values.join(' '))}`]),
    ].map((what) => complete(when, what));
  };
  return [
    '# fish completion for pdpp',
    'complete -c pdpp -f',
    ...commands.flatMap((command) => [...formatName(command), ...formatRest(command)]),
  ].join('\n');
}
