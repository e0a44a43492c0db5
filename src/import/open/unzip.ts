import { inflateRawSync } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  parseExtraFields,
  type ZipFile,
} from 'yauzl';
import { namePart } from './find-parts.ts';
import { findProgramFolder, isSystemFile, refusePath } from './input-paths.ts';
import {
  createPackedFile,
  MAX_FILES,
  MAX_RATIO,
  type Opened,
  RATIO_FROM_BYTES,
  TOO_LARGE,
  UnpackRefusal,
} from './opened.ts';
import { joinParts, PartsReader, readZipEnd } from './split-zip.ts';

const MAX_PARTS = 1_000;

/** Lists the entries of a zip and refuses unsafe ones. Writes nothing. `archive` is the name of a split zip. */
export async function unzip(
  opened: Opened,
  locations: readonly string[],
  name: string,
  archive: string,
): Promise<void> {
  const reader = new PartsReader(locations);
  const joined = await openZip(reader, archive).catch((error: unknown) => {
    reader.close(() => {});
    opened.refuse(name, error instanceof UnpackRefusal ? error.message : DAMAGED);
    return undefined;
  });
  if (joined === undefined) return;
  const { zip, moves } = joined;
  opened.onClose(() => zip.close());
  const size = reader.bytes;
  let total = 0;
  let count = 0;
  const add = (entry: Entry) => {
    entry.relativeOffsetOfLocalHeader += moves?.[count] ?? 0;
    count += 1;
    total += entry.uncompressedSize;
    const inner = readName(entry);
    const path = `${name}/${inner}`;
    const program = findProgramFolder(inner);
    if (program !== undefined) opened.skipFolder(`${name}/${program}`);
    if (program !== undefined || path.endsWith('/') || isSystemFile(path)) return;
    const refusal = refusePath(inner) ?? refuseEntry(entry);
    if (refusal !== undefined) return opened.refuse(path, refusal);
    opened.add(createPackedFile(opened, path, entry.uncompressedSize, () => unpackEntry(zip, reader, entry)));
  };
  const before = opened.files.length;
  await new Promise<void>((resolve) => {
    zip.on('entry', (entry: Entry) => {
      add(entry);
      if (count > MAX_FILES) resolve();
      else zip.readEntry();
    });
    zip.on('end', () => resolve());
    zip.on('error', () => {
      opened.refuse(name, 'is damaged. Files after the damage were skipped. Download it again.');
      resolve();
    });
    zip.readEntry();
  });
  // Overlapping entries can unpack to far more than the zip holds.
  if (total > RATIO_FROM_BYTES && total > size * MAX_RATIO) {
    opened.files.length = before;
    opened.refuse(name, TOO_LARGE);
  }
}

const DAMAGED = 'is damaged or incomplete. Download it again.';

/** `moves` is the distance of each entry from its stated position. */
async function openZip(reader: PartsReader, archive: string): Promise<{ zip: ZipFile; moves?: number[] }> {
  const end = await readZipEnd(reader);
  const files = reader.starts.length;
  if (end === undefined && files > 1)
    throw new UnpackRefusal(
      `is split into more than ${files} parts, and the last one is missing. Add all parts and try again.`,
    );
  let moves: number[] | undefined;
  if (end !== undefined && end.parts > 1 && end.parts <= MAX_PARTS) {
    if (files < end.parts)
      throw new UnpackRefusal(
        `is split into ${end.parts} parts, starting with ${namePart(archive, 'zip', 1)}, and some are missing. Add all parts and try again.`,
      );
    moves = await joinParts(reader, end);
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
  if ((entry.generalPurposeBitFlag & 1) !== 0) return 'is password-protected. Unpack it first.';
  const mode = entry.externalFileAttributes >>> 16;
  if ((mode & 0o170000) === 0o120000) return 'is a symbolic link. Links are not followed.';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return 'uses an unsupported compression method. Unpack it first.';
  const { uncompressedSize: size, compressedSize: packed } = entry;
  if (size > RATIO_FROM_BYTES && size > packed * MAX_RATIO) return TOO_LARGE;
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

/** Unpacks a small entry without a stream, because an export may have a hundred thousand of them. */
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
    // The stream reads up to the damage.
    return undefined;
  }
}
