import type { CommandEntry } from '../table/option.ts';
import { listFirstWords, listSecondWords, takesPath } from './completed.ts';

/** For `eval "$(pdpp completion bash)"`. Where nothing of ours fits, bash completes files as always. */
export function writeBash(commands: readonly CommandEntry[]): string {
  const seconds = [...listSecondWords(commands)].map(
    ([first, words]) => `    ${first}) second="${words.join(' ')}" ;;`,
  );
  const pairs = commands.filter(({ words }) => words.includes(' ')).map(({ words }) => `"${words}"`);
  const options = commands.map(
    ({ words, options }) =>
      `    "${words}") options="${[...Object.keys(options), 'help'].map((name) => `--${name}`).join(' ')}" ;;`,
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
${seconds.join('\n')}
  esac
  if (( COMP_CWORD == 2 )) && [[ $word != -* ]]; then
    COMPREPLY=( $(compgen -W "$second" -- "$word") )
    return
  fi
  case "$first \${COMP_WORDS[2]}" in
    ${pairs.join('|')}) command="$first \${COMP_WORDS[2]}" ;;
  esac
  case "$command $before" in
${listValues(commands).join('\n')}
  esac
  [[ $word == -* ]] || return
  case "$command" in
${options.join('\n')}
  esac
  COMPREPLY=( $(compgen -W "$options" -- "$word") )
}
complete -o default -F _pdpp pdpp`;
}

/** Options after which the words are known; after a path bash is left to itself, and after anything else silent. */
function listValues(commands: readonly CommandEntry[]): string[] {
  return commands.flatMap(({ words, options }) =>
    Object.entries(options)
      .filter(([, option]) => option.type === 'string')
      .map(([name, option]) => {
        const known = `COMPREPLY=( $(compgen -W "${option.values?.join(' ') ?? ''}" -- "$word") )`;
        return {
          name,
          does: takesPath(option) || option.values === undefined ? 'return' : `${known}; return`,
        };
      })
      .map(({ name, does }) => `    "${words} --${name}") ${does} ;;`),
  );
}
