import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findEmptyClaims, isCovered, readSecurityTable } from '../../scripts/security-table.ts';

const groups = { T: 15, B: 11, A: 26, G: 18, I: 11, R: 11, S: 7, L: 5, D: 8, C: 7 };
const ids = Object.entries(groups).flatMap(([group, count]) =>
  Array.from({ length: count }, (_, i) => `${group}-${String(i + 1).padStart(2, '0')}`),
);
const rows = readSecurityTable();
const checklist = new URL('../../../shared/SECURITY-CHECKLIST.md', import.meta.url);

describe('test/security/requirements.md', () => {
  it('has one row for each of the 119 items, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  it.each(rows)(
    'names tests of $id that carry its id in a title, or says in bold why there is none',
    (row) => {
      expect([row.id, findEmptyClaims(row), isCovered(row)]).toEqual([row.id, [], true]);
    },
  );

  it.runIf(existsSync(checklist))('is as severe as the checklist', () => {
    const found = readFileSync(checklist, 'utf8').matchAll(/^\*\*([A-Z]-\d\d) · ([CHML]) ·/gm);
    const severities = Object.fromEntries([...found].map(([, id, severity]) => [id, severity]));
    expect(Object.fromEntries(rows.map(({ id, severity }) => [id, severity]))).toEqual(severities);
  });
});
