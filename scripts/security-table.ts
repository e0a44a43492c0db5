import { existsSync, readFileSync } from 'node:fs';

export interface SecurityItem {
  readonly id: string;
  readonly name: string;
  readonly severity: 'C' | 'H' | 'M' | 'L';
  readonly how: string;
  /** Test files below test/. */
  readonly files: readonly string[];
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const ROW = /^\| ([A-Z]-\d\d) ([^|]*)\| ([CHML]) +\| ([^|]+)\| ([^|]*)\|$/gm;

/** The rows of test/security/requirements.md. */
export function readSecurityTable(): SecurityItem[] {
  return [...read('test/security/requirements.md').matchAll(ROW)].map(
    ([, id = '', name = '', severity, how = '', tests = '']) => ({
      id,
      name: name.trim(),
      severity: severity as SecurityItem['severity'],
      how: how.trim(),
      files: [...tests.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string),
    }),
  );
}

/** Returns the files of a row that have no test whose title begins with the item's id. */
export function findEmptyClaims({ id, files }: SecurityItem): string[] {
  const title = new RegExp(`['"\`](?:[A-Z]-\\d\\d )*${id}\\b`);
  return files.filter(
    (file) => !existsSync(new URL(`../test/${file}`, import.meta.url)) || !title.test(read(`test/${file}`)),
  );
}

/** Returns whether an item has tests, or a reason in bold why it needs none. */
export function isCovered(item: SecurityItem): boolean {
  return item.files.length === 0 ? item.how.includes('**') : findEmptyClaims(item).length === 0;
}
