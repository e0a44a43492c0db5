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

  it('stays when a later version reads one more field', () => {
    const [before] = makeKeys([['a.json', row]], ['at', 'title']);
    const [after] = makeKeys([['a.json', { ...row, album: 'X', artist: null }]], ['at', 'title']);
    expect(after).toBe(before);
  });

  it('stays when a field that tells rows apart is added and this row has none of it', () => {
    const [before] = makeKeys([['a.json', row]], ['at', 'title']);
    const [after] = makeKeys([['a.json', row]], ['at', 'title', 'show']);
    expect(after).toBe(before);
  });

  it('is of its own for each of two equal rows of a file, and one for what stands in two files', () => {
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

  it('is of its own for equal rows of two files where nothing says what tells them apart', () => {
    const keys = makeKeys([
      ['a.csv', row],
      ['b.csv', row],
    ]);
    expect(keys[1]).toBe(`${keys[0]}-2`);
  });
});
