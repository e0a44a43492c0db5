import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/generated-docs.ts';

describe('the generated parts of the docs', () => {
  it.each(generatedFiles)('$path is up to date; npm run docs writes it', ({ path, write }) => {
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(write());
  });
});
