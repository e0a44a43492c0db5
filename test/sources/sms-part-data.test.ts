import { expect, it } from 'vitest';
import { findPartData } from '../../src/sources/sms-backup/find-part-data.ts';

it('finds the data of a part, also if a piece of the file ends before it', () => {
  const tag = '<part seq="0" ct="image/png" data="';
  expect(findPartData(Buffer.from(`${tag}AAAABBBB" />`))).toEqual({
    kind: 'base64',
    end: tag.length,
    until: '"',
  });
  expect(findPartData(Buffer.from('<part seq="0" ct="image/png" da'))).toEqual({
    kind: 'unfinished',
    end: 0,
  });
});

it('does not wait for the end of text that only looks like a part', () => {
  const bytes = Buffer.from(`<part ${'a'.repeat(220)}`.repeat(100));
  expect(findPartData(bytes)).toEqual({ kind: 'none', end: bytes.length });
});
