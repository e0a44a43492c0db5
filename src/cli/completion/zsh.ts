import type { CommandEntry, Option } from '../table/option.ts';
import { listFirstWords, listSecondWords, takesPath } from './completed.ts';

/** For `pdpp completion zsh > "${fpath[1]}/_pdpp"`, or to be evaluated. */
export function writeZsh(commands: readonly CommandEntry[]): string {
  const cases = commands.map(
    (command) => `    (${quote(command.words)}) _arguments ${writeArguments(command).join(' ')} ;;`,
  );
  const pairs = commands.filter(({ words }) => words.includes(' ')).map(({ words }) => quote(words));
  const seconds = [...listSecondWords(commands)].map(
    ([first, words]) => `      (${first}) offered=( ${words.map(quote).join(' ')} ) ;;`,
  );
  return `#compdef pdpp
_pdpp() {
  local -a offered
  local command="$words[2]" taken=1
  if (( CURRENT == 2 )); then
    offered=( ${listFirstWords(commands)
      .map((first) => quote(describeFirst(first, commands)))
      .join(' ')} )
    _describe command offered
    return
  fi
  if (( CURRENT == 3 )); then
    case "$words[2]" in
${seconds.join('\n')}
    esac
    (( $#offered )) && _describe command offered
  fi
  case "$words[2] $words[3]" in
    (${pairs.join('|')}) command="$words[2] $words[3]"; taken=2 ;;
  esac
  shift $taken words
  (( CURRENT -= taken ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pdpp "$@"; else compdef _pdpp pdpp; fi`;
}

function describeFirst(first: string, commands: readonly CommandEntry[]): string {
  const whole = commands.find(({ words }) => words === first);
  return whole === undefined ? first : `${first}:${whole.says}`;
}

function writeArguments({ options, takes, values }: CommandEntry): string[] {
  const named = Object.entries(options).map(([name, option]) => {
    const again = option.multiple ? '*' : '';
    return quote(`${again}--${name}[${mask(option.says)}]${writeValue(option)}`);
  });
  const rest =
    values === undefined
      ? takes === ''
        ? []
        : ["'*:word:_files'"]
      : [quote(`1:word:(${values.join(' ')})`)];
  return [...named, "'--help[say more about it]'", ...rest];
}

function writeValue(option: Option): string {
  if (option.type === 'boolean') return '';
  const does =
    option.values !== undefined ? `(${option.values.join(' ')})` : takesPath(option) ? '_files' : ' ';
  return `:${mask(option.takes ?? '')}:${does}`;
}

function mask(text: string): string {
  return text.replaceAll(/[[\]:]/g, '\\$&');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
