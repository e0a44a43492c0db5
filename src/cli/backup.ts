import type { Config, DatabaseConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { makeBackup } from '../store/sqlite/backup/make-backup.ts';
import { version } from '../version.ts';
import { formatBytes, formatCount, print, printFindings } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { type Call, getPositional } from './run/call.ts';
import { readConfig, withFolderStore } from './run/with-store.ts';

export async function backup(call: Call): Promise<void> {
  const config = readConfig(call);
  if (config.database !== undefined) return explainDump(call, config, config.database);
  const folder = getPositional(call, 0, 'FOLDER');
  await withFolderStore(call, async (store) => {
    const progress = createProgress(undefined, 'pages');
    const made = await makeBackup(store, folder, {
      now: new Date(),
      version,
      progress: (done) => progress.update(done),
    });
    progress.end();
    const { records = 0, grants = 0, audit = 0, events = 0 } = made.manifest.counts;
    const n = formatCount;
    print(
      call,
      { path: made.path, bytes: made.bytes, ...made.manifest },
      `Backup written and verified: ${made.path}
${formatBytes(made.bytes)}: ${n(records)} records, ${n(grants)} grants, ${n(audit)} audited reads, ${n(events)} events and the server secret.
It contains all your data. Keep it where only you can read it.`,
    );
  });
}

/** PostgreSQL has better tools for this. Checks whether they can be used, and fails, because there is no backup yet. */
async function explainDump(call: Call, config: Config, database: DatabaseConfig): Promise<void> {
  const { checkDump } = await import('./backup/check-dump.ts');
  printFindings(call, await checkDump(config, database));
  throw new AppError('conflict', 'Nothing was copied: your data is in PostgreSQL, which has its own tools.', {
    hint: 'Run pg_dump --format=custom --file=pdpp.dump "$DATABASE_URL", or make base backups with WAL archiving. Copy the server secret too.',
  });
}
