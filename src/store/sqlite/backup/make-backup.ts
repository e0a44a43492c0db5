import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { DAY_MS } from '../../../time/durations.ts';
import type { Store } from '../../store.ts';
import { storeFiles } from '../folder/finish-restore.ts';
import { findSecretFile, SECRET_FILE } from '../folder/secret-file.ts';
import { syncFile, syncFolder } from '../folder/sync-file.ts';
import { type Counts, copyDatabase } from './copy-database.ts';
import { describeFiles, MANIFEST, type Manifest, nameBackup } from './manifest.ts';

export interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

/** A draft that a killed backup has left is taken away by a later one, when nobody can still be writing to it. */
const DRAFT = /^\.pdpp-.*\.new$/;
const ABANDONED_MS = DAY_MS;

/**
 * Copies a store that may be in use to a new folder inside `place`. It has its name only when every file in it is
 * whole and checked.
 */
export async function makeBackup(
  store: Store,
  place: string,
  options: { now: Date; version: string; progress?: (donePages: number, allPages: number) => void },
): Promise<Backup> {
  const name = nameBackup(options.now);
  const path = join(place, name);
  const draft = join(place, `.${name}.${process.pid}.new`);
  makePlace(place);
  try {
    mkdirSync(draft, { mode: 0o700 });
    const counts = await copyAll(store.directory, draft, options.progress);
    const files = await describeFiles(draft);
    const manifest: Manifest = {
      format: 1,
      made_at: options.now.toISOString(),
      made_by: options.version,
      counts,
      files,
    };
    writeFileSync(join(draft, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
    for (const file of [...storeFiles, MANIFEST]) syncFile(join(draft, file));
    syncFolder(draft);
    renameSync(draft, path);
    syncFolder(place);
    return { path, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), manifest };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw explain(error);
  }
}

/** The audit last: what ended while the store was copied is then at least in the event log, which is believed. */
async function copyAll(
  from: string,
  to: string,
  progress?: (donePages: number, allPages: number) => void,
): Promise<Counts> {
  const copy = (name: string, tables: readonly string[]) =>
    copyDatabase(join(from, name), join(to, name), tables, progress);
  const data = await copy('store.sqlite', [
    'connections',
    'streams',
    'records',
    'facets',
    'history',
    'grants',
  ]);
  const audit = await copy('audit.sqlite', ['audit', 'events']);
  copyFileSync(findSecretFile(from), join(to, SECRET_FILE));
  chmodSync(join(to, SECRET_FILE), 0o600);
  return { ...data, ...audit };
}

function makePlace(place: string): void {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    removeAbandoned(place);
  } catch (error) {
    throw explain(error);
  }
}

function removeAbandoned(place: string): void {
  for (const name of readdirSync(place).filter((one) => DRAFT.test(one))) {
    const { mtimeMs } = statSync(join(place, name));
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(join(place, name), { recursive: true, force: true });
  }
}

function explain(error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') {
    return new AppError('disk_full', 'There is no room for the backup.', {
      hint: 'Nothing was kept of it. Make room, or choose another place.',
      cause: error,
    });
  }
  if (/^E[A-Z]+$/.test(code) && !(error instanceof AppError)) {
    return new AppError('invalid_argument', 'The backup cannot be written to that place.', {
      hint: 'Name a folder that you may write to.',
      cause: error,
    });
  }
  return error;
}
