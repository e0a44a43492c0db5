import { describe, expect, it } from 'vitest';
import { formatAsMbox, splitBatches } from '../../../src/accounts/imap/fetch-mails.ts';

const MEGABYTE = 2 ** 20;
const MAX_BATCH_BYTES = 4 * MEGABYTE;
const list = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) => ({ uid: n + 1, bytes }));
const sizes = (mails: ReturnType<typeof list>) => [...splitBatches(mails)].map(({ length }) => length);

describe('a batch of mails', () => {
  it('has at most 4 MB, or one mail that is larger, such as one of 500 mails of 10 MB', () => {
    expect(sizes(list(500, 10 * MEGABYTE))).toEqual(Array(500).fill(1));
    expect(sizes(list(12, MEGABYTE))).toEqual([4, 4, 4]);
    const mixed = [...list(3, 1_000), ...list(1, 50 * MEGABYTE), ...list(300, 30_000)];
    const batches = [...splitBatches(mixed)];
    expect(batches.flat()).toEqual(mixed);
    for (const batch of batches) {
      const bytes = batch.reduce((sum, mail) => sum + mail.bytes, 0);
      expect(batch.length === 1 || bytes <= MAX_BATCH_BYTES).toBe(true);
    }
  });

  it('has at most 200 small mails', () => {
    expect(sizes(list(450, 1))).toEqual([200, 200, 50]);
  });
});

describe('the bytes of a fetched mail', () => {
  it.each([
    ['', '\n'],
    ['a\r\nb', 'a\nb\n'],
    ['a\r\n', 'a\n\n'],
    ['a\nb\rc\r', 'a\nb\rc\r\n'],
    ['\r\r\n\r\n\n', '\r\n\n\n\n'],
    ['caf\u00e9\r\n', 'caf\u00e9\n\n'],
  ])('%j are those of an mbox file', (source, expected) => {
    expect(formatAsMbox(Buffer.from(source, 'latin1')).toString('latin1')).toBe(expected);
    const large = 'x'.repeat(2 * MEGABYTE);
    expect(formatAsMbox(Buffer.from(large + source, 'latin1')).toString('latin1') === large + expected).toBe(
      true,
    );
  });
});
