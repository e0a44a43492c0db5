import { describe, expect, it } from 'vitest';
import { slimRecord } from '../../src/store/slim-record.ts';

describe('slimRecord', () => {
  it('cuts texts that no list shows whole, and leaves everything else as it was', () => {
    const record = { id: 'a', n: 1.5, list: ['x', 'y'], none: null, inner: { text: 'b'.repeat(100_001) } };
    const slim = JSON.parse(slimRecord(JSON.stringify(record)));
    expect(slim).toEqual({ ...record, inner: { text: 'b'.repeat(100_000) } });
  });

  it('never ends inside a character', () => {
    const slim = JSON.parse(slimRecord(JSON.stringify({ text: `${'b'.repeat(99_999)}🙂tail` })));
    expect(slim.text.isWellFormed()).toBe(true);
  });
});
