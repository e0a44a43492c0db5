import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { quote } from '../guide/command-name.ts';
import { type Moved, type MoveProgress, moveStore } from '../store/move/move-store.ts';
import type { MoveSource, MoveTarget } from '../store/move/move-stores.ts';
import { formatCount, print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { table } from './print/table.ts';
import { type Call, getText, UsageError } from './run/call.ts';
import { commandName, formatCommand } from './run/how-started.ts';
import { readConfig } from './run/with-store.ts';

const warn = (message: string) => console.error(`warning: ${message}`);
const isAddress = (place: string) => /^postgres(ql)?:\/\//.test(place);

export async function move(call: Call): Promise<void> {
  const config = readConfig(call);
  const [from, to] = readLocations(call, config);
  const source = await openSource(from, config);
  try {
    const target = await openTarget(to, source, config);
    try {
      const progress = showProgress();
      const moved = await moveStore(source, target, progress).finally(progress.end);
      await report(call, source, target, moved);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** One place is a data folder, the other one a database. */
function readLocations(call: Call, { dataDirectory, database }: Config): [from: string, to: string] {
  const to = getText(call, 'to');
  if (to === undefined) throw new UsageError('--to is missing: a folder, or postgres://…');
  const from = getText(call, 'from') ?? (isAddress(to) ? dataDirectory : database?.url);
  if (from === undefined)
    throw new UsageError('The source is missing: set DATABASE_URL, or add --from postgres://…');
  if (isAddress(from) && isAddress(to))
    throw new UsageError(
      'The source and the target are both in PostgreSQL. Copy a database with pg_dump and pg_restore.',
    );
  if (!isAddress(from) && !isAddress(to))
    throw new UsageError(
      `The source and the target are both folders. Use ${formatCommand('backup')} and ${formatCommand('restore')}.`,
    );
  for (const place of [from, to]) if (isAddress(place) && !URL.canParse(place)) throw badAddress();
  return [isAddress(from) ? from : resolve(from), isAddress(to) ? to : resolve(to)];
}

function badAddress(): UsageError {
  return new UsageError('The address must be a URL such as postgres://user@host:5432/database');
}

async function openSource(from: string, config: Config): Promise<MoveSource> {
  if (isAddress(from)) {
    const { openSourceDatabase } = await import('../store/postgres/move/source-database.ts');
    return openSourceDatabase(from, await readSourceSecret(config));
  }
  const { openSourceFolder } = await import('../store/sqlite/move/source-folder.ts');
  return openSourceFolder(from);
}

/** Returns the secret of the servers on a database. Never creates one. */
async function readSourceSecret(config: Config): Promise<Uint8Array> {
  const [{ readSecret }, { findSecretFile }] = await Promise.all([
    import('./run/open-postgres.ts'),
    import('../store/sqlite/folder/secret-file.ts'),
  ]);
  if (config.secret !== undefined || existsSync(findSecretFile(config.mainDirectory)))
    return readSecret(config, warn);
  throw new AppError('store_unusable', 'The server secret of the database is missing.', {
    hint: 'Set PDPP_SERVER_SECRET_FILE, or choose the data folder of a server on this database with --data.',
  });
}

async function openTarget(to: string, { secret }: MoveSource, config: Config): Promise<MoveTarget> {
  if (!isAddress(to)) {
    const { openTargetFolder } = await import('../store/sqlite/move/target-folder.ts');
    return openTargetFolder(to, secret);
  }
  await checkGivenSecret(config, secret);
  const { openTargetDatabase } = await import('../store/postgres/move/target-database.ts');
  return openTargetDatabase(to, secret, warn);
}

/** Another secret would end the sessions and cursors that the move keeps. */
async function checkGivenSecret(config: Config, secret: Uint8Array): Promise<void> {
  if (config.secret === undefined) return;
  const { readSecret } = await import('./run/open-postgres.ts');
  if (Buffer.from(readSecret(config, warn)).equals(secret)) return;
  throw new AppError('conflict', 'This is not the server secret of the source.', {
    hint: 'Give every process on the target the secret of the source: copy its file server-secret.',
  });
}

function showProgress(): MoveProgress & { end(): void } {
  let bar = createProgress(undefined, 'rows');
  let done = 0;
  return {
    start(phase, rows) {
      bar.end();
      done = 0;
      bar = createProgress(rows, phase === 'copy' ? 'rows copied' : 'rows compared');
    },
    add(rows) {
      done += rows;
      bar.update(done);
    },
    end: () => bar.end(),
  };
}

const BEGAN: Record<Moved['began'], string> = {
  new: '',
  continued: 'Continued an interrupted move.\n',
  restarted: 'Started again, because the source had changed since the interrupted move.\n',
};

async function report(call: Call, source: MoveSource, target: MoveTarget, moved: Moved): Promise<void> {
  const rows = moved.tables.map((one) => [
    one.table,
    formatCount(one.source),
    formatCount(one.target),
    one.different === 0 ? 'equal' : 'different',
  ]);
  const text = await table([['table', 'source', 'target', 'result'], ...rows]);
  print(
    call,
    { from: source.location, to: target.location, began: moved.began, tables: moved.tables },
    `${BEGAN[moved.began]}${text}

Moved from ${source.location} to ${target.location}. Tokens, grants and cursors keep working there.
The source was not changed. Do not serve it again; delete it when you no longer need it.
${describeNext(source, target)}`,
  );
}

function describeNext(source: MoveSource, target: MoveTarget): string {
  if (!target.location.startsWith('PostgreSQL'))
    return `Unset DATABASE_URL, then start the server: ${commandName} serve --data ${quote(target.location)}`;
  return `Set DATABASE_URL, give every process the server secret of ${source.location}, and start the server: ${formatCommand('serve')}`;
}
