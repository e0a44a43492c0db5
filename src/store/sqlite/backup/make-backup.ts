import {
  chmodSync,
  copyFileSync,
  existsSync,
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
import { syncToDisk } from '../folder/private-files.ts';
import { findSecretFile, SECRET_FILE } from '../folder/secret-file.ts';
import { type Counts, copyDatabase } from './copy-database.ts';
import { describeFiles, MANIFEST, type Manifest, nameBackup } from './manifest.ts';

export interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

export interface BackupOptions {
  readonly now: Date;
  readonly version: string;
  readonly progress?: (donePages: number, allPages: number) => void;
  /** The name of the store, for a backup that a server makes by schedule. */
  readonly scheduledFor?: string;
}

/** Drafts of interrupted backups are removed by a later backup, once no process can still be writing to them. */
const DRAFT = /^\.pdpp-.*\.new$/;
const ABANDONED_MS = DAY_MS;

/** Copies a store that may be in use to a new folder inside `parent`, and verifies the copy before publishing it. */
export async function makeBackup(
  store: Pick<Store, 'directory'>,
  parent: string,
  options: BackupOptions,
): Promise<Backup> {
  const name = nameBackup(options.now);
  const path = join(parent, name);
  const draft = join(parent, `.${name}.${process.pid}.new`);
  makeParent(parent);
  try {
    mkdirSync(draft, { mode: 0o700 });
    const counts = await copyAll(store.directory, draft, options.progress);
    const files = await describeFiles(draft);
    const manifest: Manifest = {
      format: 1,
      made_at: options.now.toISOString(),
      made_by: options.version,
      ...(options.scheduledFor === undefined ? {} : { scheduled_for: options.scheduledFor }),
      counts,
      files,
    };
    writeFileSync(join(draft, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
    for (const { name: file } of files) syncToDisk(join(draft, file));
    syncToDisk(join(draft, MANIFEST));
    syncToDisk(draft);
    renameSync(draft, path);
    syncToDisk(parent);
    return { path, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), manifest };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw explain(error);
  }
}

/**
 * Copies the audit last: its event log then knows all access that ended while the store was copied. A store before its
 * upgrade may have neither audit nor secret.
 */
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
  const hasAudit = existsSync(join(from, 'audit.sqlite'));
  const audit = hasAudit ? await copy('audit.sqlite', ['audit', 'events']) : {};
  if (existsSync(findSecretFile(from))) {
    copyFileSync(findSecretFile(from), join(to, SECRET_FILE));
    chmodSync(join(to, SECRET_FILE), 0o600);
  }
  return { ...data, ...audit };
}

function makeParent(parent: string): void {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    removeAbandoned(parent);
  } catch (error) {
    throw explain(error);
  }
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => DRAFT.test(one))) {
    const { mtimeMs } = statSync(join(parent, name));
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function explain(error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') {
    return new AppError('disk_full', 'Not enough disk space for the backup.', {
      hint: 'The incomplete backup was removed. Free some space, or choose another folder.',
      cause: error,
    });
  }
  if (/^E[A-Z]+$/.test(code) && !(error instanceof AppError)) {
    return new AppError('invalid_argument', 'The backup cannot be written there.', {
      hint: 'Choose a folder that you can write to.',
      cause: error,
    });
  }
  return error;
}
