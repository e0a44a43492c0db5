import { inflateRawSync } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  parseExtraFields,
  type ZipFile,
} from 'yauzl';
import { joinCounted, readCountedEnd } from './counted-parts.ts';
import { namePart } from './find-parts.ts';
import { MAX_FILES, MAX_RATIO, type Opened, RATIO_FROM_BYTES } from './opened.ts';
import { createPackedFile, UnpackRefusal } from './packed-file.ts';
import { PartsReader } from './parts-reader.ts';
import { findProgramFolder, isWorthless, refusePath } from './path-rules.ts';

const MAX_PARTS = 1_000;

/**
 * Lists what a zip holds, refusing by name what must not be unpacked. Nothing is written. A zip may lie in several
 * files, one after another; `pack` is what it is called as a whole.
 */
export async function unzip(
  opened: Opened,
  locations: readonly string[],
  name: string,
  pack: string,
): Promise<void> {
  const reader = new PartsReader(locations);
  const joined = await openZip(reader, pack).catch((error: unknown) => {
    reader.close(() => {});
    opened.refuse(name, error instanceof UnpackRefusal ? error.message : DAMAGED);
    return undefined;
  });
  if (joined === undefined) return;
  const { zip, moves } = joined;
  opened.whenClosed(() => zip.close());
  const size = reader.bytes;
  let total = 0;
  let count = 0;
  const take = (entry: Entry) => {
    entry.relativeOffsetOfLocalHeader += moves?.[count] ?? 0;
    count += 1;
    total += entry.uncompressedSize;
    const path = `${name}/${readName(entry)}`;
    const program = findProgramFolder(readName(entry));
    if (program !== undefined) opened.skipFolder(`${name}/${program}`);
    if (program !== undefined || path.endsWith('/') || isWorthless(path)) return;
    const refusal = refusePath(readName(entry)) ?? refuseEntry(entry);
    if (refusal !== undefined) return opened.refuse(path, refusal);
    opened.add(createPackedFile(opened, path, entry.uncompressedSize, () => unpackEntry(zip, reader, entry)));
  };
  const before = opened.files.length;
  await new Promise<void>((resolve) => {
    zip.on('entry', (entry: Entry) => {
      take(entry);
      if (count > MAX_FILES) resolve();
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
  if (total > RATIO_FROM_BYTES && total > size * MAX_RATIO) {
    opened.files.length = before;
    opened.refuse(name, 'unpacks to far more than an export would');
  }
}

const DAMAGED = 'is damaged or is not a whole zip file';

/** `moves` is how far each entry lies from where it is said to be. */
async function openZip(reader: PartsReader, pack: string): Promise<{ zip: ZipFile; moves?: number[] }> {
  const end = await readCountedEnd(reader);
  const files = reader.starts.length;
  if (end === undefined && files > 1)
    throw new UnpackRefusal(`is in parts, and its end is missing: is there a part after the ${files} given?`);
  let moves: number[] | undefined;
  if (end !== undefined && end.parts > 1 && end.parts <= MAX_PARTS) {
    if (files < end.parts)
      throw new UnpackRefusal(
        `is in ${end.parts} parts, from ${namePart(pack, 'counted', 1)} on; not all are here`,
      );
    moves = await joinCounted(reader, end);
    if (moves === undefined) throw new UnpackRefusal(DAMAGED);
  }
  const zip = await fromRandomAccessReaderPromise(reader, reader.bytes + reader.tail.length, {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: false,
  });
  return moves === undefined ? { zip } : { zip, moves };
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
  if (size > RATIO_FROM_BYTES && size > packed * MAX_RATIO) return 'unpacks to far more than an export would';
  return undefined;
}

async function* unpackEntry(zip: ZipFile, reader: PartsReader, entry: Entry): AsyncGenerator<Uint8Array> {
  const small = await unpackSmall(reader, entry);
  if (small !== undefined) {
    yield small;
    return;
  }
  const stream = await zip.openReadStreamPromise(entry);
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } finally {
    stream.destroy();
  }
}

const MAX_SMALL_BYTES = 128 * 1_024;
const LOCAL_HEADER_BYTES = 30;

/** A short entry at once: an export may have a hundred thousand, and a stream for each costs more than to unpack it. */
async function unpackSmall(reader: PartsReader, entry: Entry): Promise<Uint8Array | undefined> {
  const { compressedSize, uncompressedSize, relativeOffsetOfLocalHeader: start } = entry;
  if (compressedSize > MAX_SMALL_BYTES || uncompressedSize > MAX_SMALL_BYTES) return undefined;
  const guessed = LOCAL_HEADER_BYTES + entry.fileNameLength + 64 + compressedSize;
  let bytes = await reader.take(start, guessed);
  if (bytes.length < LOCAL_HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'PK\x03\x04') return undefined;
  const from = LOCAL_HEADER_BYTES + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  if (from + compressedSize > bytes.length) bytes = await reader.take(start, from + compressedSize);
  const packed = bytes.subarray(from, from + compressedSize);
  if (packed.length < compressedSize) return undefined;
  if (entry.compressionMethod === 0) return packed;
  try {
    const unpacked = inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) });
    return unpacked.length === uncompressedSize ? unpacked : undefined;
  } catch {
    // The stream tells how far it is sound.
    return undefined;
  }
}
