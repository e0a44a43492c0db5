import { openSync, statSync } from 'node:fs';
import { type Entry, fromFdPromise, getFileNameLowLevel, parseExtraFields, type ZipFile } from 'yauzl';
import { MOST_FILES, MOST_RATIO, type Opened, RATIO_FROM_BYTES } from './opened.ts';
import { createPackedFile } from './packed-file.ts';
import { isWorthless, refusePath } from './path-rules.ts';

/** Lists what a zip holds, refusing by name what must not be unpacked. Nothing is written. */
export async function unzip(opened: Opened, location: string, name: string): Promise<void> {
  const zip = await openZip(location);
  if (zip === undefined) {
    opened.refuse(name, 'is damaged or is not a whole zip file');
    return;
  }
  opened.whenClosed(() => zip.close());
  const size = statSync(location).size;
  let total = 0;
  let count = 0;
  const take = (entry: Entry) => {
    count += 1;
    total += entry.uncompressedSize;
    const path = `${name}/${readName(entry)}`;
    if (path.endsWith('/') || isWorthless(path)) return;
    const refusal = refusePath(readName(entry)) ?? refuseEntry(entry);
    if (refusal !== undefined) return opened.refuse(path, refusal);
    opened.add(createPackedFile(opened, path, entry.uncompressedSize, () => unpackEntry(zip, entry)));
  };
  const before = opened.files.length;
  await new Promise<void>((resolve) => {
    zip.on('entry', (entry: Entry) => {
      take(entry);
      if (count > MOST_FILES) resolve();
      else zip.readEntry();
    });
    zip.on('end', () => resolve());
    zip.on('error', () => {
      opened.refuse(name, 'has a damaged table of contents; what stands after the damage was left out');
      resolve();
    });
    zip.readEntry();
  });
  // Entries that lie over one another make far more of a zip than it holds.
  if (total > RATIO_FROM_BYTES && total > size * MOST_RATIO) {
    opened.files.length = before;
    opened.refuse(name, 'unpacks to far more than an export would');
  }
}

async function openZip(location: string): Promise<ZipFile | undefined> {
  try {
    return await fromFdPromise(openSync(location, 'r'), {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
    });
  } catch {
    return undefined;
  }
}

function readName(entry: Entry): string {
  const raw = entry.fileName as unknown as Buffer;
  const name = getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    raw,
    parseExtraFields(entry.extraFieldRaw),
    false,
  );
  return name.replaceAll('\\', '/');
}

function refuseEntry(entry: Entry): string | undefined {
  if ((entry.generalPurposeBitFlag & 1) !== 0) return 'is encrypted; unpack it with its password first';
  const mode = entry.externalFileAttributes >>> 16;
  if ((mode & 0o170000) === 0o120000) return 'is a link to another file, which is not followed';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return 'is packed in a way that is not known here; unpack it first';
  const { uncompressedSize: size, compressedSize: packed } = entry;
  if (size > RATIO_FROM_BYTES && size > packed * MOST_RATIO)
    return 'unpacks to far more than an export would';
  return undefined;
}

async function* unpackEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await zip.openReadStreamPromise(entry);
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } finally {
    stream.destroy();
  }
}
