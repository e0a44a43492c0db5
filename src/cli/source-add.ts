import { readFileSync } from 'node:fs';
import { AppError } from '../errors.ts';
import { installSource } from '../ingest/install-source.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';

import { type Command, dataOption, getPositional, jsonOption, print, withStore } from './command.ts';

export const sourceAdd: Command = {
  usage: 'source add FILE [--data DIR] [--json]',
  options: { ...dataOption, ...jsonOption },
  async run(call) {
    const declaration = checkDeclaration(readJsonFile(getPositional(call, 0, 'FILE')));
    await withStore(call, async (store) => {
      const { outcome, reindexed } = await installSource(store.write, declaration, new Date());
      const key = declaration.connector_key;
      print(
        call,
        { connector_key: key, outcome, reindexed },
        `Source ${key}: ${outcome}.\nAdd an account of it: pdpp connection add ${key} --id ID --name NAME`,
      );
    });
  },
};

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new AppError(
      missing ? 'not_found' : 'invalid_declaration',
      missing ? 'There is no such file.' : 'The file is not valid JSON.',
      { cause },
    );
  }
}
