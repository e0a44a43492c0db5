import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import {
  type HostedOwner,
  hostTaken,
  nameTaken,
  type OwnerList,
  ownerUnknown,
} from '../owners/owner-list.ts';
import { findServer, lockFolder } from './folder/folder-lock.ts';
import { OWNERS_FILE, readOwners, writeOwners } from './folder/owners-file.ts';
import { makePrivateFolder } from './folder/private-files.ts';

const OWNERS_FOLDER = 'owners';
const REMOVED_FOLDER = 'removed';
/** A server closes the folder of a removed owner within a second, and waits for running calls. */
const CLOSE_TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/** Creates the owner list of SQLite: a file in the main data folder lists the owners and their data folders. */
export function createOwnerList(directory: string): OwnerList {
  const read = createReader(directory);
  return {
    list: async () => [...read()],
    find: async (name) => read().find((owner) => owner.name === name),
    findByHosts: async (hosts) => read().filter(({ host }) => hosts.includes(host)),
    add: async ({ name, host, folder }, at) => {
      const path = folder === undefined ? join(directory, OWNERS_FOLDER, name) : resolve(folder);
      const owner: HostedOwner = { name, host, folder: path, createdAt: at.toISOString() };
      editOwners(directory, (owners) => {
        checkFree(owners, owner, directory);
        if (folder === undefined) checkEmpty(path);
        makePrivateFolder(path, () => {});
        return [...owners, owner];
      });
      return owner;
    },
    async remove(name, at) {
      const owner = read().find((one) => one.name === name);
      if (owner === undefined) throw ownerUnknown();
      editOwners(directory, (owners) => owners.filter((one) => one.name !== name));
      // A folder that was given with --folder is not moved.
      if (owner.folder !== join(directory, OWNERS_FOLDER, name)) return { folder: owner.folder };
      return { folder: await moveToRemoved(directory, owner, at) };
    },
  };
}

/** Returns a function that reads the file, and reads it again only if it has changed. */
function createReader(directory: string): () => readonly HostedOwner[] {
  let version: string | undefined;
  let owners: readonly HostedOwner[] = [];
  return () => {
    const stat = statSync(join(directory, OWNERS_FILE), { throwIfNoEntry: false });
    const current = stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
    if (current !== version) owners = stat === undefined ? [] : readOwners(directory);
    version = current;
    return owners;
  };
}

/** Edits the file under a lock, so that concurrent commands do not overwrite each other. */
function editOwners(
  directory: string,
  edit: (owners: readonly HostedOwner[]) => readonly HostedOwner[],
): void {
  const folder = join(directory, OWNERS_FOLDER);
  makePrivateFolder(directory, () => {});
  makePrivateFolder(folder, () => {});
  const lock = lockFolder(folder);
  try {
    writeOwners(directory, edit(readOwners(directory)));
  } finally {
    lock.release();
  }
}

function checkFree(owners: readonly HostedOwner[], owner: HostedOwner, main: string): void {
  if (owners.some(({ name }) => name === owner.name)) throw nameTaken();
  if (owners.some(({ host }) => host === owner.host)) throw hostTaken();
  if (owner.folder === resolve(main) || owners.some(({ folder }) => folder === owner.folder))
    throw new AppError('conflict', 'Another owner has this folder.', { hint: 'Choose another folder.' });
}

/** Refuses a folder with data: it belongs to an earlier owner with the same name. */
function checkEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new AppError('conflict', 'A folder with this name already contains data.', {
    folder,
    hint: 'To use this data, add --folder DIR. Otherwise choose another name.',
  });
}

/** Waits until no server has the folder of a removed owner open, and moves it. Returns the new path. */
async function moveToRemoved(directory: string, { name, folder }: HostedOwner, at: Date): Promise<string> {
  if (!existsSync(folder)) return folder;
  const until = Date.now() + CLOSE_TIMEOUT_MS;
  while (findServer(folder) !== undefined) {
    if (Date.now() > until)
      throw new AppError('busy', 'The owner is no longer served, but the server still has the folder open.', {
        folder,
        hint: 'Move or delete the folder when the server has stopped.',
      });
    await sleep(POLL_MS);
  }
  const target = join(
    directory,
    OWNERS_FOLDER,
    REMOVED_FOLDER,
    `${name}-${at.toISOString().replaceAll(/[:.]/g, '-')}`,
  );
  mkdirSync(join(directory, OWNERS_FOLDER, REMOVED_FOLDER), { recursive: true, mode: 0o700 });
  renameSync(folder, target);
  return target;
}
