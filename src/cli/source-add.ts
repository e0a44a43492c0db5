import { installSource } from '../ingest/install-source.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import { print } from './print/print.ts';
import { type Call, getPositional } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { readJsonFile } from './run/read-json-file.ts';
import { withStore } from './run/with-store.ts';

export async function sourceAdd(call: Call): Promise<void> {
  const declaration = checkDeclaration(readJsonFile(getPositional(call, 0, 'FILE')));
  await withStore(call, async (store) => {
    const { outcome, reindexed } = await installSource(store.write, declaration, new Date());
    const key = declaration.connector_key;
    print(
      call,
      { connector_key: key, outcome, reindexed },
      `Source ${key} ${outcome}.\nNext, add an account: ${formatCommand('connection add', `${key} --id ID --name NAME`)}`,
    );
  });
}
