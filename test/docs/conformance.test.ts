import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addedScenarios, authScenarios } from '../conformance/client-checks.ts';
import { serverChecks } from '../conformance/server-checks.ts';

const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

describe('docs/conformance.md', () => {
  it.each(Object.entries(serverChecks))(
    'lists the green scenarios of the server at %s',
    (revision, { green }) => {
      const column = revision === '2025-11-25' ? 2 : 3;
      const listed = rows
        .map((row) => row.split('|').map((cell) => cell.trim()))
        .filter((cells) => cells.length === 5 && cells[column]?.startsWith('green'))
        .flatMap((cells) => /^`([^`]+)`$/.exec(cells[1] ?? '')?.[1] ?? []);
      expect(listed.sort()).toEqual(Object.keys(green).sort());
    },
  );

  it.each([
    ['14 scenarios', authScenarios['2025-11-25']],
    ['11 more', addedScenarios],
  ])('lists the scenarios of the client: %s', (words, scenarios) => {
    const paragraph = page.split('\n\n').find((text) => text.includes(words)) ?? '';
    const named = [...paragraph.matchAll(/`(auth\/[^`]+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(scenarios).sort());
  });
});
