import type { CommandEntry, Option } from '../table/option.ts';

/** What may be typed first: commands of one word, and the first words of the others. */
export function listFirstWords(commands: readonly CommandEntry[]): string[] {
  return [...new Set(commands.map(({ words }) => words.split(' ')[0] as string))];
}

/** What may follow a first word, by that word. */
export function listSecondWords(commands: readonly CommandEntry[]): Map<string, string[]> {
  const pairs = commands.flatMap(({ words, values = [] }) => {
    const [first = '', second] = words.split(' ');
    return second === undefined ? values.map((value) => [first, value]) : [[first, second]];
  });
  return new Map(
    [...new Set(pairs.map(([first = '']) => first))].map((first) => [
      first,
      pairs.filter(([one]) => one === first).map(([, second = '']) => second),
    ]),
  );
}

/** Whether the word after an option is a file or a folder, which every shell knows how to complete. */
export function takesPath({ takes }: Option): boolean {
  return takes === 'FILE' || takes === 'DIR';
}
