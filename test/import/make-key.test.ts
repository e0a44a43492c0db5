import { describe, expect, it, onTestFinished } from 'vitest';
import { createKeyMaker } from '../../src/import/make-key.ts';
import { openScratch } from '../../src/store/sqlite/scratch.ts';

const stream = { name: 'plays', primary_key: ['id'] } as Parameters<ReturnType<typeof createKeyMaker>>[0];

function makeKeys(
  rows: readonly (readonly [string, Record<string, unknown>])[],
  identity?: readonly string[],
) {
  const scratch = openScratch();
  onTestFinished(() => scratch.close());
  const makeKey = createKeyMaker(scratch, identity === undefined ? undefined : { plays: identity });
  return rows.map(([path, row]) => {
    const data: Record<string, unknown> = { ...row };
    makeKey(stream, data, path);
    return data.id as string;
  });
}

describe('the key of a row without an id', () => {
  const row = { at: '2024-05-01T10:00:00Z', title: 'One' };

  it('stays the same when a later version reads one more field', () => {
    const [before] = makeKeys([['a.json', row]], ['at', 'title']);
    const [after] = makeKeys([['a.json', { ...row, album: 'X', artist: null }]], ['at', 'title']);
    expect(after).toBe(before);
  });

  it('stays the same when an identifying field is added that this row lacks', () => {
    const [before] = makeKeys([['a.json', row]], ['at', 'title']);
    const [after] = makeKeys([['a.json', row]], ['at', 'title', 'show']);
    expect(after).toBe(before);
  });

  it('differs for equal rows of one file and is the same across files', () => {
    const keys = makeKeys(
      [
        ['a.json', row],
        ['a.json', row],
        ['b.json', row],
      ],
      ['at', 'title'],
    );
    expect(keys[1]).toBe(`${keys[0]}-2`);
    expect(keys[2]).toBe(keys[0]);
  });

  it('differs for equal rows of two files without declared identifying fields', () => {
    const keys = makeKeys([
      ['a.csv', row],
      ['b.csv', row],
    ]);
    expect(keys[1]).toBe(`${keys[0]}-2`);
  });
});
