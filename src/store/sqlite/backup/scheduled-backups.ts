import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { shareFolder } from '../folder/folder-lock.ts';
import { findSecretFile } from '../folder/secret-file.ts';
import { makeBackup } from './make-backup.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface ScheduledBackup {
  readonly path: string;
  readonly bytes: number;
  /** How many older backups were deleted. */
  readonly removed: number;
}

/**
 * Makes a verified backup of a data folder, then deletes the oldest scheduled backups of the same store until `keep` are
 * left. Backups that were made by hand are kept.
 */
export async function makeScheduledBackup(
  directory: string,
  parent: string,
  { keep, ...options }: { readonly keep: number; readonly now: Date; readonly version: string },
): Promise<ScheduledBackup> {
  const lock = shareFolder(directory);
  try {
    const store = nameStore(directory);
    const { path, bytes } = await makeBackup({ directory }, parent, { ...options, scheduledFor: store });
    const old = listScheduled(parent, store).slice(keep);
    for (const { name } of old) removeBackup(parent, name);
    return { path, bytes, removed: old.length };
  } finally {
    lock.release();
  }
}

/** Returns when the newest scheduled backup of a store was made; undefined if there is none, or if it cannot be found. */
export function findLastScheduled(directory: string, parent: string): Date | undefined {
  try {
    const [newest] = listScheduled(parent, nameStore(directory));
    return newest === undefined ? undefined : new Date(newest.manifest.made_at);
  } catch {
    // Making the next backup reports why.
    return undefined;
  }
}

/** Lists the scheduled backups of one store, newest first. */
function listScheduled(parent: string, store: string): { name: string; manifest: Manifest }[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => name.startsWith('pdpp-'))
    .sort()
    .reverse()
    .flatMap((name) => {
      const manifest = readManifest(join(parent, name));
      return manifest?.scheduled_for === store ? [{ name, manifest }] : [];
    });
}

/** Names a store without revealing its secret, so that several servers can use one folder. */
function nameStore(directory: string): string {
  const secret = readFileSync(findSecretFile(directory));
  return createHash('sha256').update('pdpp scheduled backup').update(secret).digest('hex').slice(0, 16);
}

/** Renames the backup first, so that an interrupted removal leaves no incomplete backup. */
function removeBackup(parent: string, name: string): void {
  const draft = join(parent, `.${name}.old.new`);
  renameSync(join(parent, name), draft);
  rmSync(draft, { recursive: true, force: true });
}
