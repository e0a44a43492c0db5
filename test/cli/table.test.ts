import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { drawTable, findPlainWidth, fitTable, table } from '../../src/cli/print/table.ts';

describe('a table in the terminal', () => {
  it('aligns columns with Chinese, emoji and combining marks', async () => {
    const text = await table([
      ['NAME', 'ID'],
      ['東京', 'a'],
      ['👩‍👩‍👧 family', 'b'],
      ['e\u0301te\u0301', 'c'],
    ]);
    const lines = text.split('\n');
    const starts = lines.map((line) => stringWidth(line.slice(0, line.search(/\S+$/))));
    expect(new Set(starts)).toEqual(new Set([stringWidth('👩‍👩‍👧 family') + 2]));
  });

  it('cuts a long cell to its width without splitting a character', async () => {
    const text = await fitTable(
      ['TITLE', 'ID'],
      [
        ['東京タワー'.repeat(40), 'x'],
        ['👩‍👩‍👧'.repeat(90), 'y'],
      ],
    );
    const [, tokyo = '', family = ''] = text.split('\n');
    expect([tokyo, family].map((line) => stringWidth(line))).toEqual([82, 82]);
    expect(family).toMatch(/^(👩‍👩‍👧)+… +y$/u);
  });

  it('measures plain text as the width package does', () => {
    const known = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => findPlainWidth(character) !== undefined,
    );
    expect(known.length).toBeGreaterThan(30_000);
    expect(known.filter((character) => stringWidth(character) !== findPlainWidth(character))).toEqual([]);
    // In pieces that overlap by one: the time a segmenter takes grows with the square of the length.
    const segmenter = new Intl.Segmenter();
    for (let start = 0; start < known.length; start += 1_000) {
      const piece = known.slice(start, start + 1_001);
      expect([...segmenter.segment(piece.join(''))]).toHaveLength(piece.length);
    }
  });

  it('cuts a long cell of plain letters at the same place', async () => {
    const [, line] = (await fitTable(['TITLE', 'ID'], [['Größe '.repeat(40), 'x']])).split('\n');
    expect(line).toBe(`${'Größe '.repeat(14).slice(0, 79)}…  x`);
  });
});

describe('a table of very many rows', () => {
  it('is drawn', () => {
    const rows = Array.from({ length: 200_000 }, (_, at) => [String(at), 'x']);
    expect(drawTable(rows, (cell) => cell.length).split('\n')).toHaveLength(200_000);
  });
});
