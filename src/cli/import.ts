import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getInput } from '../import/open/input-paths.ts';
import { type Call, UsageError } from './run/call.ts';
import { hasStore, readConfig, withStore } from './run/with-store.ts';

export async function importCommand(call: Call): Promise<void> {
  if (call.positionals.length === 0) throw new UsageError('PATH is missing.');
  if (call.values['day-first'] && call.values['month-first'])
    throw new UsageError('Use either --day-first or --month-first.');
  for (const path of call.positionals) getInput(path);
  // Loaded after the paths were checked: a wrong path needs neither a store nor the importers.
  const { importExports } = await import('./import/import-exports.ts');
  const { database, dataDirectory } = readConfig(call);
  const hasData = database !== undefined || hasStore(dataDirectory);
  const needsTemporaryStore = call.values['dry-run'] === true && !hasData;
  if (!needsTemporaryStore) return withStore(call, (store) => importExports(call, store));
  // A dry run must not create a store in an empty folder.
  const data = mkdtempSync(join(tmpdir(), 'pdpp-dry-run-'));
  try {
    await withStore({ ...call, values: { ...call.values, data } }, (store) => importExports(call, store));
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
