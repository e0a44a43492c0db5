import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError } from '../../errors.ts';
import { createDiskFile } from '../disk-file.ts';
import type { InputFile } from '../importer.ts';
import { gunzip } from './gunzip.ts';
import { Opened } from './opened.ts';
import { createPackedFile } from './packed-file.ts';
import { isWorthless } from './path-rules.ts';
import { untar } from './untar.ts';
import { unzip } from './unzip.ts';

/** A pack inside a pack is opened, one inside that is not; a tgz is two packs by itself. */
const MOST_NESTING = 3;

/** Something to open that is called otherwise than its place on the disk. */
export interface Labelled {
  readonly location: string;
  readonly path: string;
}

/** Opens files, folders and packs, told apart by their bytes. Whoever has it closes it when all is read. */
export async function openInputs(inputs: readonly (string | Labelled)[]): Promise<Opened> {
  const opened = new Opened();
  try {
    for (const input of inputs) {
      const { location, path } =
        typeof input === 'string' ? { location: input, path: basename(input) } : input;
      // What the owner names may be a link; what lies inside may not.
      const found = statSync(location, { throwIfNoEntry: false });
      if (found === undefined)
        throw new AppError('not_found', 'There is no such file or folder.', {
          file: typeof input === 'string' ? input : path,
        });
      if (found.isDirectory()) await openFolder(opened, location, path);
      else await openFile(opened, createDiskFile(location, path), 0);
    }
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function openFolder(opened: Opened, folder: string, name: string): Promise<void> {
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const location = join(folder, entry.name);
    const path = `${name}/${entry.name}`;
    if (isWorthless(entry.isDirectory() ? `${path}/` : path)) continue;
    if (entry.isDirectory()) await openFolder(opened, location, path);
    else if (entry.isFile() && canRead(location)) await openFile(opened, createDiskFile(location, path), 0);
    else opened.refuse(path, entry.isSymbolicLink() ? 'is a link, which is not followed' : 'cannot be read');
  }
}

function canRead(location: string): boolean {
  return lstatSync(location, { throwIfNoEntry: false })?.isFile() ?? false;
}

async function openFile(opened: Opened, file: InputFile, nesting: number): Promise<void> {
  const kind = findPack(await file.head());
  if (kind === undefined) return opened.add(file);
  if (nesting === MOST_NESTING)
    return opened.refuse(file.path, 'is a pack inside packs, which is not opened');
  const name = file.path.replace(/\.(zip|tgz|gz|tar)$/i, '').replace(/\.tar$/i, '');
  const before = opened.files.length;
  if (kind === 'zip') await unzip(opened, await file.onDisk(), name);
  else if (kind === 'tar') await untar(opened, file.open(), name);
  else {
    const inner = createPackedFile(opened, name, undefined, () => gunzip(file.open()));
    return openFile(opened, inner, nesting + 1);
  }
  // What lies inside may be packed once more, as parts of a large export are.
  for (const inner of opened.files.splice(before)) {
    // Looked for by name first: there may be a hundred thousand photos beside it.
    if (/\.(zip|tgz|gz|tar)$/i.test(inner.path)) await openFile(opened, inner, nesting + 1);
    else opened.add(inner);
  }
}

function findPack(head: Uint8Array): 'zip' | 'gzip' | 'tar' | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) return 'zip';
  if (begins(0x1f, 0x8b)) return 'gzip';
  return Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar' ? 'tar' : undefined;
}
