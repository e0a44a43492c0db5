import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../../docs/security.md');

const groups: Record<string, number> = { T: 15, B: 11, A: 26 };
const ids = Object.entries(groups).flatMap(([group, count]) =>
  Array.from({ length: count }, (_, i) => `${group}-${String(i + 1).padStart(2, '0')}`),
);

/** The rows of the tables by id: what is said there, and the files it names. */
const rows = [...page.matchAll(/^\| ([A-Z]-\d\d) [^|]*\| ([^|]+) \| ([^|]*) \|$/gm)].map(
  ([, id = '', how = '', tests = '']) => ({
    id,
    how,
    files: [...tests.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string),
  }),
);

describe('docs/security.md', () => {
  it('has one row for every item, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  it.each(rows)('names tests of $id that carry its id in a title', ({ id, how, files }) => {
    // An item without a test says in bold why.
    if (files.length === 0) expect(how).toContain('**');
    const title = new RegExp(`['"\`](?:[A-Z]-\\d\\d )*${id}\\b`);
    for (const file of files) expect([file, title.test(read(`../${file}`))]).toEqual([file, true]);
  });
});
