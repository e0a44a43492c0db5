import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createDiskFile } from '../disk-file.ts';
import type { InputFile } from '../importer.ts';
import { readCountedEnd } from './counted-parts.ts';
import { belongTogether, groupParts, type Labelled, type PartedPack } from './find-parts.ts';
import { getInput } from './get-input.ts';
import { Opened } from './opened.ts';
import { createPackedFile, gunzip } from './packed-file.ts';
import { PartsReader } from './parts-reader.ts';
import { findProgramFolder, isWorthless } from './path-rules.ts';
import { untar } from './untar.ts';
import { unzip } from './unzip.ts';

/** How the first of counted parts begins, or a single one that was meant to be cut. */
const COUNTED_MARK = Buffer.from('PK\x07\x08', 'latin1');
/** A pack inside a pack is opened, one inside that is not; a tgz is two packs by itself. */
const MAX_NESTING = 3;

/** Opens files, folders and packs, told apart by their bytes. Whoever has it closes it when all is read. */
export async function openInputs(inputs: readonly (string | Labelled)[]): Promise<Opened> {
  const opened = new Opened();
  try {
    const files = new Map<string, Labelled>();
    for (const input of inputs)
      for (const file of listFiles(opened, input)) files.set(`${file.location} ${file.path}`, file);
    for (const given of groupParts([...files.values()])) {
      if (given.kind === 'parts') await openParts(opened, given);
      else await openFile(opened, createDiskFile(given.file.location, given.file.path), 0);
    }
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

function listFiles(opened: Opened, input: string | Labelled): Labelled[] {
  const file = typeof input === 'string' ? { location: input, path: basename(input) } : input;
  // What the owner names may be a link; what lies inside may not.
  const found = getInput(file.location, typeof input === 'string' ? input : file.path);
  if (found.isDirectory()) {
    const files = [...walkFolder(opened, file.location, file.path)];
    if (files.length === 0) opened.refuse(file.path, 'is an empty folder');
    return files;
  }
  return typeof input === 'string' ? listPartsBeside(file) : [file];
}

/** Who names one part of a pack means all of them. */
function listPartsBeside(file: Labelled): Labelled[] {
  const folder = dirname(file.location);
  const parts = readdirSync(folder)
    .filter((name) => name !== file.path && belongTogether(file.path, name))
    .filter((name) => canRead(join(folder, name)));
  return [file, ...parts.map((name) => ({ location: join(folder, name), path: name }))];
}

function* walkFolder(opened: Opened, folder: string, name: string): Iterable<Labelled> {
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const location = join(folder, entry.name);
    const path = `${name}/${entry.name}`;
    const full = entry.isDirectory() ? `${path}/` : path;
    if (isWorthless(full)) continue;
    // Seen from the folder that was named: who names one of these means it.
    const program = findProgramFolder(full.slice(name.length + 1));
    if (program !== undefined) opened.skipFolder(`${name}/${program}`);
    else if (entry.isDirectory()) yield* walkFolder(opened, location, path);
    else if (entry.isFile() && canRead(location)) yield { location, path };
    else opened.refuse(path, entry.isSymbolicLink() ? 'is a link, which is not followed' : 'cannot be read');
  }
}

function canRead(location: string): boolean {
  return lstatSync(location, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Reads parts as the one pack they were. Names alone make no pack: parts of something else are files of their own. */
async function openParts(opened: Opened, { path, cut, parts, missing }: PartedPack): Promise<void> {
  const files = parts.map(({ location, path: label }) => createDiskFile(location, label));
  const head = await (files[0] as InputFile).head();
  const isPack = findPack(head) !== undefined || Buffer.from(head.subarray(0, 4)).equals(COUNTED_MARK);
  if (missing.length > 0 && (isPack || cut === 'counted'))
    return opened.refuse(path, `is in parts, and ${missing.slice(0, 10).join(', ')} is missing`);
  if (!isPack) {
    for (const file of files) await openFile(opened, file, 0);
    return;
  }
  const locations = parts.map(({ location }) => location);
  const isZip = findPack(head) === 'zip' || cut === 'counted';
  if (isZip) return openInside(opened, path, 0, (name) => unzip(opened, locations, name, path));
  const read = async function* () {
    const reader = new PartsReader(locations);
    try {
      yield* reader.walk(0, reader.bytes);
    } finally {
      reader.close(() => {});
    }
  };
  await openFile(opened, createPackedFile(opened, path, undefined, read), 0);
}

async function openFile(opened: Opened, file: InputFile, nesting: number): Promise<void> {
  const kind = findPack(await file.head()) ?? (nesting === 0 ? await findEnd(file) : undefined);
  if (kind === undefined) return opened.add(file);
  if (nesting === MAX_NESTING) return opened.refuse(file.path, 'is a pack inside packs, which is not opened');
  if (kind === 'gzip') {
    const inner = createPackedFile(opened, nameInside(file.path), undefined, () => gunzip(file.open()));
    return openFile(opened, inner, nesting + 1);
  }
  await openInside(opened, file.path, nesting, async (name) =>
    kind === 'zip'
      ? unzip(opened, [await file.diskPath()], name, file.path)
      : untar(opened, file.open(), name),
  );
}

function nameInside(path: string): string {
  return path.replace(/\.(zip|tgz|gz|tar)$/i, '').replace(/\.tar$/i, '');
}

async function openInside(
  opened: Opened,
  path: string,
  nesting: number,
  unpack: (name: string) => Promise<void>,
): Promise<void> {
  const before = opened.files.length;
  await unpack(nameInside(path));
  // What lies inside may be packed once more, as parts of a large export are.
  for (const inner of opened.files.splice(before)) {
    // Looked for by name first: there may be a hundred thousand photos beside it.
    if (/\.(zip|tgz|gz|tar)$/i.test(inner.path)) await openFile(opened, inner, nesting + 1);
    else opened.add({ ...inner, archive: nameInside(path) });
  }
}

/** The last part of a zip, or one with something before it, is known by its end. */
async function findEnd(file: InputFile): Promise<'zip' | undefined> {
  if (!/\.zip$/i.test(file.path)) return undefined;
  const reader = new PartsReader([await file.diskPath()]);
  const end = await readCountedEnd(reader);
  reader.close(() => {});
  return end === undefined ? undefined : 'zip';
}

function findPack(head: Uint8Array): 'zip' | 'gzip' | 'tar' | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) return 'zip';
  if (begins(0x1f, 0x8b)) return 'gzip';
  return Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar' ? 'tar' : undefined;
}
