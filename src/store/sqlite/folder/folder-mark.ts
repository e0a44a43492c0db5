import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteStore } from '../open-store.ts';
import { readSetting, writeSetting } from '../settings.ts';

/**
 * Detects an older copy that was put back into the folder, by two signs. A new file has another creation time than
 * the store remembers. An overwritten file keeps its creation time, but does not know the ids of later runs: each run
 * writes its id into the store and then leaves an empty file with that name.
 */
interface FolderMark {
  readonly born?: string | undefined;
  readonly runs: readonly string[];
}

const SETTING = 'folder_mark';
const RUN_FILE = /^run\.([0-9a-f]{16})$/;
/** A power cut may bring a deleted file back, so the last few ids are remembered. */
const MAX_KNOWN_RUNS = 5;

type Marked = Pick<SqliteStore, 'directory' | 'write'>;

export async function isCopy(store: Marked): Promise<boolean> {
  const known = await readMark(store);
  const born = findBirth(store.directory);
  const isOtherFile = known?.born !== undefined && born !== undefined && known.born !== born;
  return isOtherFile || listRuns(store.directory).some((run) => !known?.runs.includes(run));
}

/** Marks the folder, as it is now, as the one that ran last. An interruption leaves no false sign. */
export async function renewMark(store: Marked): Promise<void> {
  const run = randomBytes(8).toString('hex');
  const before = (await readMark(store))?.runs ?? [];
  const present = listRuns(store.directory);
  await writeMark(store, [run, ...new Set([...present, ...before])]);
  closeSync(openSync(join(store.directory, `run.${run}`), 'wx', 0o600));
  for (const old of present) rmSync(join(store.directory, `run.${old}`), { force: true });
  await writeMark(store, [run, ...before].slice(0, MAX_KNOWN_RUNS));
}

/** Makes the marks of a folder known to a store that will be moved there. */
export async function adoptMarks(store: Marked, directory: string): Promise<void> {
  await writeMark(store, listRuns(directory));
}

/**
 * Returns the creation time of store.sqlite, or undefined on file systems without one, where copies go unnoticed. On
 * macOS a copy has the creation time of the original, but inode numbers are never reused.
 */
function findBirth(directory: string): string | undefined {
  const { ino, birthtimeNs, ctimeNs } = statSync(join(directory, 'store.sqlite'), { bigint: true });
  if (process.platform === 'darwin') return `file ${ino}`;
  return birthtimeNs > 0n && birthtimeNs < ctimeNs ? `born ${birthtimeNs}` : undefined;
}

function listRuns(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => RUN_FILE.exec(name)?.[1] ?? []);
}

async function readMark({ write }: Marked): Promise<FolderMark | undefined> {
  const value = await readSetting(write.db, SETTING);
  return value === undefined ? undefined : (JSON.parse(value) as FolderMark);
}

async function writeMark({ directory, write }: Marked, runs: readonly string[]): Promise<void> {
  const mark: FolderMark = { born: findBirth(directory), runs };
  await writeSetting(write.db, SETTING, JSON.stringify(mark));
}
