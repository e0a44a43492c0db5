import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../dashboard/pages/formats.tsx';
import { importers } from '../../src/sources/importers.ts';

describe('the formats page', () => {
  it('lists every format under one topic', () => {
    const named = TOPICS.flatMap(([, formats]) => formats.split(' '));
    expect(new Set(named).size).toBe(named.length);
    expect(importers.map(({ format }) => format).filter((format) => !named.includes(format))).toEqual([]);
  });
});
