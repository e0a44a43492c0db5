import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const promises = readFileSync('docs/reliability.md', 'utf8');
const found = readFileSync('test/reliability/attacks.md', 'utf8');

describe('docs/reliability.md', () => {
  it('names tests that exist', () => {
    const named = [...promises.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path as string);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('test/reliability/attacks.md', () => {
  const points = found.split('\n').flatMap((line) => {
    const [, number, , held] = /^\| (\d+) +\| (.*?) +\| (.*?) +\|$/.exec(line) ?? [];
    return number === undefined ? [] : [[Number(number), (held as string).split('<br>')] as const];
  });

  it('has all eighteen points', () => {
    expect(points.map(([number]) => number)).toEqual(Array.from({ length: 18 }, (_, at) => at + 1));
  });

  it.each(points)('names tests by their titles for point %i', (_, held) => {
    for (const one of held) {
      const [, file, title] = /^`(.+?)`: (.+?);?$/.exec(one) ?? [];
      expect(file, one).toBeDefined();
      expect(readFileSync(`test/${file}`, 'utf8'), one).toContain(title as string);
    }
  });
});
