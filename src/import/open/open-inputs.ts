import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createDiskFile } from '../disk-file.ts';
import type { InputFile } from '../importer.ts';
import { belongTogether, groupParts, type Labelled, type SplitArchive } from './find-parts.ts';
import { findProgramFolder, getInput, isSystemFile } from './input-paths.ts';
import { createPackedFile, gunzip, Opened } from './opened.ts';
import { PartsReader, readZipEnd } from './split-zip.ts';
import { untar } from './untar.ts';
import { unzip } from './unzip.ts';

/** The signature of a split zip. */
const SPLIT_ZIP = Buffer.from('PK\x07\x08', 'latin1');
/** An archive inside an archive is opened. A tgz counts as two. */
const MAX_NESTING = 3;
const ARCHIVE_NAME = /\.(zip|tgz|gz|tar)$/i;

/** Opens files, folders and archives. Archives are recognised by content. The caller closes the result. */
export async function openInputs(inputs: readonly (string | Labelled)[]): Promise<Opened> {
  const opened = new Opened();
  try {
    const files = new Map<string, Labelled>();
    for (const input of inputs)
      for (const file of listFiles(opened, input)) files.set(`${file.location} ${file.path}`, file);
    for (const input of groupParts([...files.values()])) {
      if (input.kind === 'parts') await openParts(opened, input);
      else await openFile(opened, createDiskFile(input.file.location, input.file.path), 0);
    }
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

function listFiles(opened: Opened, input: string | Labelled): Labelled[] {
  const file = typeof input === 'string' ? { location: input, path: basename(input) } : input;
  // The owner may name a link. Links inside folders are not followed.
  const found = getInput(file.location, typeof input === 'string' ? input : file.path);
  if (found.isDirectory()) {
    const files = [...listFolder(opened, file.location, file.path)];
    if (files.length === 0) opened.refuse(file.path, 'is an empty folder');
    return files;
  }
  return typeof input === 'string' ? [file, ...listOtherParts(file)] : [file];
}

/** Lists the other parts of a split archive when the owner names one of them. */
function listOtherParts({ location, path }: Labelled): Labelled[] {
  const folder = dirname(location);
  return readdirSync(folder)
    .filter((name) => name !== path && belongTogether(path, name) && isFile(join(folder, name)))
    .map((name) => ({ location: join(folder, name), path: name }));
}

function* listFolder(opened: Opened, folder: string, name: string): Iterable<Labelled> {
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const location = join(folder, entry.name);
    const path = `${name}/${entry.name}`;
    const full = entry.isDirectory() ? `${path}/` : path;
    if (isSystemFile(full)) continue;
    // Relative to the named folder, because the owner may name a program folder on purpose.
    const program = findProgramFolder(full.slice(name.length + 1));
    if (program !== undefined) opened.skipFolder(`${name}/${program}`);
    else if (entry.isDirectory()) yield* listFolder(opened, location, path);
    else if (entry.isFile() && isFile(location)) yield { location, path };
    else
      opened.refuse(
        path,
        entry.isSymbolicLink() ? 'is a symbolic link. Links are not followed.' : 'cannot be read',
      );
  }
}

function isFile(location: string): boolean {
  return lstatSync(location, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Opens a split archive. If the content is no archive, its parts are opened as separate files. */
async function openParts(opened: Opened, { path, split, parts, missing }: SplitArchive): Promise<void> {
  const files = parts.map(({ location, path: label }) => createDiskFile(location, label));
  const head = await (files[0] as InputFile).head();
  const kind = findArchiveKind(head);
  const isArchive = kind !== undefined || Buffer.from(head.subarray(0, 4)).equals(SPLIT_ZIP);
  if (missing.length > 0 && (isArchive || split === 'zip'))
    return opened.refuse(
      path,
      `is split into parts, and ${missing.slice(0, 10).join(', ')} is missing. Add all parts and try again.`,
    );
  if (!isArchive) {
    for (const file of files) await openFile(opened, file, 0);
    return;
  }
  const locations = parts.map(({ location }) => location);
  if (kind === 'zip' || split === 'zip')
    return openArchive(opened, path, 0, (name) => unzip(opened, locations, name, path));
  const read = async function* () {
    const reader = new PartsReader(locations);
    try {
      yield* reader.stream(0, reader.bytes);
    } finally {
      reader.close(() => {});
    }
  };
  await openFile(opened, createPackedFile(opened, path, undefined, read), 0);
}

async function openFile(opened: Opened, file: InputFile, nesting: number): Promise<void> {
  const kind = findArchiveKind(await file.head()) ?? (nesting === 0 ? await findZipEnd(file) : undefined);
  if (kind === undefined) return opened.add(file);
  if (nesting === MAX_NESTING)
    return opened.refuse(file.path, 'is an archive inside other archives. Unpack it first.');
  if (kind === 'gzip') {
    const inner = createPackedFile(opened, trimExtension(file.path), undefined, () => gunzip(file.open()));
    return openFile(opened, inner, nesting + 1);
  }
  const before = opened.files.length;
  await openArchive(opened, file.path, nesting, async (name) =>
    kind === 'zip'
      ? unzip(opened, [await file.diskPath()], name, file.path)
      : untar(opened, file.open(), name),
  );
  if (!isDocument(opened.files.slice(before), trimExtension(file.path))) return;
  opened.files.splice(before);
  opened.add(file);
}

/** Office documents, books and apps are zips too, but one file to their owner. */
function isDocument(files: readonly InputFile[], archive: string): boolean {
  const marks = ['[Content_Types].xml', 'mimetype', 'Index/Document.iwa', 'AndroidManifest.xml'];
  return files.some(({ path }) => marks.some((mark) => path === `${archive}/${mark}`));
}

function trimExtension(path: string): string {
  return path.replace(ARCHIVE_NAME, '').replace(/\.tar$/i, '');
}

async function openArchive(
  opened: Opened,
  path: string,
  nesting: number,
  unpack: (name: string) => Promise<void>,
): Promise<void> {
  const before = opened.files.length;
  const archive = trimExtension(path);
  await unpack(archive);
  for (const inner of opened.files.splice(before)) {
    // The name is checked first, because an export may hold a hundred thousand photos.
    if (ARCHIVE_NAME.test(inner.path)) await openFile(opened, inner, nesting + 1);
    else opened.add({ ...inner, archive });
  }
}

/** Recognises the last part of a split zip, and a zip with other bytes before it, by the end record. */
async function findZipEnd(file: InputFile): Promise<'zip' | undefined> {
  if (!/\.zip$/i.test(file.path)) return undefined;
  const reader = new PartsReader([await file.diskPath()]);
  const end = await readZipEnd(reader);
  reader.close(() => {});
  return end === undefined ? undefined : 'zip';
}

function findArchiveKind(head: Uint8Array): 'zip' | 'gzip' | 'tar' | undefined {
  const text = Buffer.from(head.subarray(0, 262)).toString('latin1');
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return 'zip';
  if (text.startsWith('\x1f\x8b')) return 'gzip';
  return text.startsWith('ustar', 257) ? 'tar' : undefined;
}
