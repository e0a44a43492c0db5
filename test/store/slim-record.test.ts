import { describe, expect, it } from 'vitest';
import { cutTexts, slimRecord } from '../../src/store/functions/slim-record.ts';

const LONG = 'b'.repeat(100_001);

describe('slimRecord', () => {
  it('cuts texts that no list shows whole, and leaves everything else as it was', () => {
    const record = { id: 'a', n: 1.5, list: ['x', 'y'], none: null, inner: { text: LONG } };
    const slim = JSON.parse(slimRecord(JSON.stringify(record), JSON.stringify(Object.keys(record))));
    expect(slim).toEqual({ ...record, inner: { text: 'b'.repeat(100_000) } });
    expect(slim).toEqual(cutTexts(record));
  });

  it('leaves out what is not asked for', () => {
    expect(slimRecord(JSON.stringify({ id: 'a', secret: LONG }), '["id","absent"]')).toBe('{"id":"a"}');
  });

  it('never ends inside a character', () => {
    const slim = JSON.parse(slimRecord(JSON.stringify({ text: `${'b'.repeat(99_999)}🙂tail` }), '["text"]'));
    expect(slim.text.isWellFormed()).toBe(true);
  });
});
