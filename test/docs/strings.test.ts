import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listStrings, STRINGS_FILE } from '../../scripts/list-strings.ts';

it('docs/strings.md lists the texts in the source; npm run strings writes it', () => {
  expect(readFileSync(STRINGS_FILE, 'utf8')).toBe(listStrings());
});
