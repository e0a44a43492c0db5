import { describe, expect, it } from 'vitest';
import { writeCsvLine } from '../../src/text/csv.ts';

describe('a line of CSV', () => {
  it('quotes what would break it', () => {
    expect(writeCsvLine(['a,b', 'say "hi"', 'two\nlines', '', null, undefined])).toBe(
      '"a,b","say ""hi""","two\nlines",,,\r\n',
    );
  });

  it.each([';', '\t'])(
    'quotes what a spreadsheet may split at %j, so that no formula starts there',
    (mark) => {
      expect(writeCsvLine([`a${mark}=1+1`])).toBe(`"a${mark}=1+1"\r\n`);
    },
  );

  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '\n=1', '＝1', '＠x'])(
    'leaves %j a text in a spreadsheet',
    (text) => {
      expect(writeCsvLine([text]).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('keeps numbers numbers, lists readable and objects JSON', () => {
    expect(writeCsvLine([-1.5, ['a', 'b'], true, { a: 1 }, [{ a: 1 }]])).toBe(
      '-1.5,a b,true,"{""a"":1}","[{""a"":1}]"\r\n',
    );
    // A list that begins like a formula is a text like any other.
    expect(writeCsvLine([['=x', 'y']])).toBe("'=x y\r\n");
  });
});
