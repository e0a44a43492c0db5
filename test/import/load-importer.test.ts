import { describe, expect, it } from 'vitest';
import { withErrorsShown } from '../../src/cli/import/load-importer.ts';
import type { Importer } from '../../src/import/importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { logImporter } from './log-importer.ts';

/** An importer with methods and a private field on its class. */
class LogImporter implements Importer {
  readonly format = 'log';
  readonly title = 'Log';
  readonly guide = logImporter.guide;
  readonly #inner = logImporter;
  recognise(files: Parameters<Importer['recognise']>[0]) {
    return this.#inner.recognise(files);
  }
  declare(...args: Parameters<Importer['declare']>) {
    return this.#inner.declare(...args);
  }
  read(...args: Parameters<Importer['read']>) {
    return this.#inner.read(...args);
  }
}

describe('withErrorsShown', () => {
  it('keeps the methods of an importer that is an instance of a class', async () => {
    const importer = withErrorsShown(new LogImporter());
    const [found] = await importer.recognise([makeInputFile('log.txt', 'LOG\ne|a|1\n')]);
    if (found === undefined) throw new Error('not recognised');
    const options = { timeZone: 'UTC' };
    expect((await importer.declare(found, options)).connector_key).toBe('log');
    const kinds: string[] = [];
    for await (const { kind } of importer.read(found, options)) kinds.push(kind);
    expect(kinds).toContain('record');
  });
});
