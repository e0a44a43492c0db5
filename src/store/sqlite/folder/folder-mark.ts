import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteStore } from '../open-store.ts';
import { readSetting, writeSetting } from '../settings.ts';

/**
 * Detects an older copy that was put back into the folder, in two ways. A new file has another creation time than
 * the store remembers. An overwritten file keeps its creation time, but does not contain the ids of later runs: each
 * run writes its id into the store and then creates an empty file named after it.
 */
interface FolderMark {
  readonly born?: string | undefined;
  readonly runs: readonly string[];
}

const SETTING = 'folder_mark';
const RUN_FILE = /^run\.([0-9a-f]{16})$/;
/** A power cut may bring a deleted file back, so the last few ids are remembered. */
const MAX_KNOWN_RUNS = 5;

type MarkedStore = Pick<SqliteStore, 'directory' | 'write'>;

export async function isCopy(store: MarkedStore): Promise<boolean> {
  const known = await readMark(store);
  const born = findBirth(store.directory);
  const isOtherFile = known?.born !== undefined && born !== undefined && known.born !== born;
  return isOtherFile || listRuns(store.directory).some((run) => !known?.runs.includes(run));
}

/** Gives store and folder a new run id. If it is interrupted, the folder is not mistaken for a copy. */
export async function renewMark(store: MarkedStore): Promise<void> {
  const run = randomBytes(8).toString('hex');
  const before = (await readMark(store))?.runs ?? [];
  const present = listRuns(store.directory);
  await writeMark(store, [run, ...new Set([...present, ...before])]);
  closeSync(openSync(join(store.directory, `run.${run}`), 'wx', 0o600));
  for (const old of present) rmSync(join(store.directory, `run.${old}`), { force: true });
  await writeMark(store, [run, ...before].slice(0, MAX_KNOWN_RUNS));
}

/** Copies the marks of a folder into a store that will be moved there. */
export async function adoptMarks(store: MarkedStore, directory: string): Promise<void> {
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

async function readMark({ write }: MarkedStore): Promise<FolderMark | undefined> {
  const value = await readSetting(write.db, SETTING);
  return value === undefined ? undefined : (JSON.parse(value) as FolderMark);
}

async function writeMark({ directory, write }: MarkedStore, runs: readonly string[]): Promise<void> {
  const mark: FolderMark = { born: findBirth(directory), runs };
  await writeSetting(write.db, SETTING, JSON.stringify(mark));
}
