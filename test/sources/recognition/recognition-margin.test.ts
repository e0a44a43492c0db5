import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importers } from '../../../src/sources/importers.ts';
import { listInputPaths, makeInputFile } from '../../support/input-file.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const formats = readdirSync(FIXTURES).filter((name) => importers.some(({ format }) => format === name));

describe('a file that is known by marks of its own', () => {
  it.each(formats)('is known so by one format only, over the fixtures of %s', async (format) => {
    for (const one of readdirSync(join(FIXTURES, format))) {
      const root = join(FIXTURES, format, one);
      const files = listInputPaths(root).map((path) => makeInputFile(path, readFileSync(join(root, path))));
      const claims = new Map<string, string[]>();
      for (const importer of importers)
        for (const { certainty, files: own } of await importer.recognise(files))
          if (certainty === 'certain')
            for (const { path } of own) claims.set(path, [...(claims.get(path) ?? []), importer.format]);
      const disputed = [...claims].filter(([, by]) => new Set(by).size > 1);
      expect(disputed).toEqual([]);
    }
  });
});
