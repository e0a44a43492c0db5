import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteStore } from '../open-store.ts';
import { readSetting, writeSetting } from '../settings.ts';

/**
 * Tells whether the folder is the one that ran last, or a copy of it that was put back. Two signs, because there are
 * two ways to put a copy back. A file that was made anew has another time of birth than the store remembers. One that
 * was written over keeps it, but then the marks that later runs left in the folder are unknown to the older store:
 * each run leaves an empty file whose name is its id, and writes the id into the store first.
 */
interface FolderMark {
  readonly born?: string | undefined;
  readonly runs: readonly string[];
}

const SETTING = 'folder_mark';
const RUN_FILE = /^run\.([0-9a-f]{16})$/;
/** A deleted file may come back with a power cut, so the last few ids stay known. */
const RUNS_KNOWN = 5;

type Marked = Pick<SqliteStore, 'directory' | 'write'>;

export async function isCopy(store: Marked): Promise<boolean> {
  const known = await readMark(store);
  const born = findBirth(store.directory);
  const isOtherFile = known?.born !== undefined && born !== undefined && known.born !== born;
  return isOtherFile || listRuns(store.directory).some((run) => !known?.runs.includes(run));
}

/** Takes the folder as it is for the one that runs. Stopped at any point, it leaves no false sign. */
export async function renewMark(store: Marked): Promise<void> {
  const run = randomBytes(8).toString('hex');
  const before = (await readMark(store))?.runs ?? [];
  const present = listRuns(store.directory);
  await writeMark(store, [run, ...new Set([...present, ...before])]);
  closeSync(openSync(join(store.directory, `run.${run}`), 'wx', 0o600));
  for (const old of present) rmSync(join(store.directory, `run.${old}`), { force: true });
  await writeMark(store, [run, ...before].slice(0, RUNS_KNOWN));
}

/** For a store that is about to take its place in another folder: the marks that are there are no surprise to it. */
export async function adoptMarks(store: Marked, directory: string): Promise<void> {
  await writeMark(store, listRuns(directory));
}

/**
 * When store.sqlite was made, as the file system knows it; undefined where it does not know, and then a copy cannot
 * be told. On macOS copies are born when the original was, but files never share a number, also later.
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
  const value = await readSetting(write, SETTING);
  return value === undefined ? undefined : (JSON.parse(value) as FolderMark);
}

async function writeMark({ directory, write }: Marked, runs: readonly string[]): Promise<void> {
  const mark: FolderMark = { born: findBirth(directory), runs };
  await writeSetting(write, SETTING, JSON.stringify(mark));
}
