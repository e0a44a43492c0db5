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
import { findServer, ownFolder } from './folder/folder-lock.ts';
import { OWNERS_FILE, readOwners, writeOwners } from './folder/owners-file.ts';
import { makePrivateFolder } from './folder/private-files.ts';

const FOLDER = 'owners';
const REMOVED = 'removed';
/** A server closes the folder of a removed owner within a second, and waits for running calls. */
const CLOSE_TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/** Returns the owners that a file in the main data folder lists. Each of them has a data folder. */
export function createOwnerList(directory: string): OwnerList {
  const read = createReader(directory);
  return {
    list: async () => [...read()],
    find: async (name) => read().find((owner) => owner.name === name),
    findByHosts: async (hosts) => read().filter(({ host }) => hosts.includes(host)),
    add: async ({ name, host, folder }, at) => {
      const path = folder === undefined ? join(directory, FOLDER, name) : resolve(folder);
      const owner: HostedOwner = { name, host, folder: path, createdAt: at.toISOString() };
      change(directory, (owners) => {
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
      change(directory, (owners) => owners.filter((one) => one.name !== name));
      // A folder that somebody chose stays where it is.
      if (owner.folder !== join(directory, FOLDER, name)) return { folder: owner.folder };
      return { folder: await setAside(directory, owner, at) };
    },
  };
}

/** Reads the file again if it was replaced. */
function createReader(directory: string): () => readonly HostedOwner[] {
  let version: string | undefined;
  let owners: readonly HostedOwner[] = [];
  return () => {
    const stat = statSync(join(directory, OWNERS_FILE), { throwIfNoEntry: false });
    const now = stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
    if (now !== version) owners = stat === undefined ? [] : readOwners(directory);
    version = now;
    return owners;
  };
}

/** Replaces the file. Two commands at once do so one after the other. */
function change(directory: string, edit: (owners: readonly HostedOwner[]) => readonly HostedOwner[]): void {
  const folder = join(directory, FOLDER);
  makePrivateFolder(directory, () => {});
  makePrivateFolder(folder, () => {});
  const lock = ownFolder(folder);
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

/** Data that is left in the folder belongs to somebody who had the name before. */
function checkEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new AppError('conflict', 'A folder with this name already contains data.', {
    folder,
    hint: 'To use this data, add --folder DIR. Otherwise choose another name.',
  });
}

/** Moves the folder of a removed owner, once no server has it open. Returns where it is. */
async function setAside(directory: string, { name, folder }: HostedOwner, at: Date): Promise<string> {
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
  const target = join(directory, FOLDER, REMOVED, `${name}-${at.toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(join(directory, FOLDER, REMOVED), { recursive: true, mode: 0o700 });
  renameSync(folder, target);
  return target;
}
