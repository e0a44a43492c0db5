import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getInput } from '../import/open/input-paths.ts';
import { type Call, UsageError } from './run/call.ts';
import { hasStore, readConfig, withStore } from './run/with-store.ts';

export async function importCommand(call: Call): Promise<void> {
  if (call.positionals.length === 0) throw new UsageError('PATH is missing');
  if (call.values['day-first'] && call.values['month-first'])
    throw new UsageError('--day-first and --month-first do not go together');
  for (const path of call.positionals) getInput(path);
  // Only now: a path that is wrong is told without a store, and without what reads every format.
  const { importExports } = await import('./import/import-exports.ts');
  const isTrial = call.values['dry-run'] === true && !hasStore(readConfig(call).dataDirectory);
  if (!isTrial) return withStore(call, (store) => importExports(call, store));
  // Nothing is there yet, and a dry run adds nothing, not even an empty store.
  const data = mkdtempSync(join(tmpdir(), 'pdpp-dry-run-'));
  try {
    await withStore({ ...call, values: { ...call.values, data } }, (store) => importExports(call, store));
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
