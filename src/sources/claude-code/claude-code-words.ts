import { textOf } from '../values/loose.ts';

/** Words that the program writes as if the owner had: what commands printed, reminders, news of work in the background. */
const OF_PROGRAM =
  /^\s*<(local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr)|system-reminder|task-notification|command-(?:stdout|stderr))\b/;

/** What the owner typed is wrapped in tags where it was a command: `/clear`, or `!ls` for the shell. */
export function readProgramWords(said: string | undefined): {
  text: string | undefined;
  isOfProgram: boolean;
} {
  const find = (tag: string) =>
    textOf(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(said ?? '')?.[1]?.trim());
  const isCommand = /^\s*<(command-(?:name|message)|bash-input)>/.test(said ?? '');
  const [name, shell] = isCommand ? [find('command-name'), find('bash-input')] : [];
  if (name !== undefined)
    return {
      text: [name, find('command-args')].filter((one) => one !== undefined).join(' '),
      isOfProgram: false,
    };
  if (shell !== undefined) return { text: `!${shell}`, isOfProgram: false };
  return { text: said, isOfProgram: OF_PROGRAM.test(said ?? '') };
}
