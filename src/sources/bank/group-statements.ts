import type { InputFile } from '../../import/importer.ts';

export interface StatementFile {
  readonly file: InputFile;
  readonly accountNumbers: readonly string[];
}

/** Returns the first capture group of every match, in upper case and without spaces. */
export function findNumbers(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => (match[1] ?? '').replace(/\s/g, '').toUpperCase());
}

/**
 * Groups statements by account number, and those without a number together. Each account is a connection of its
 * own, so that access to one is not access to all.
 */
export function groupByAccount(files: readonly StatementFile[]): InputFile[][] {
  const groups: { numbers: Set<string>; files: InputFile[] }[] = [];
  for (const { file, accountNumbers: numbers } of files) {
    const [first, ...others] = groups.filter((group) =>
      numbers.length === 0 ? group.numbers.size === 0 : numbers.some((number) => group.numbers.has(number)),
    );
    const group = first ?? { numbers: new Set<string>(), files: [] };
    if (first === undefined) groups.push(group);
    for (const other of others) {
      for (const number of other.numbers) group.numbers.add(number);
      group.files.push(...other.files);
      groups.splice(groups.indexOf(other), 1);
    }
    for (const number of numbers) group.numbers.add(number);
    group.files.push(file);
  }
  return groups.map((group) => group.files);
}
