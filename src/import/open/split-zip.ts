import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { RandomAccessReader } from 'yauzl';

const readFile = promisify(read);
const CHUNK_BYTES = 256 * 1_024;

/** Reads several files as one, at any position. `tail` is appended after the last file. */
export class PartsReader extends RandomAccessReader {
  readonly #files: { fd: number; start: number; end: number }[] = [];
  tail: Buffer = Buffer.alloc(0);
  #window: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(locations: readonly string[]) {
    super();
    for (const location of locations) {
      const fd = openSync(location, 'r');
      const start = this.bytes;
      this.#files.push({ fd, start, end: start + fstatSync(fd).size });
    }
  }

  get bytes(): number {
    return this.#files.at(-1)?.end ?? 0;
  }

  get starts(): readonly number[] {
    return this.#files.map(({ start }) => start);
  }

  /** Reads up to `length` bytes. Returns fewer at the end. */
  async take(from: number, length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let at = from;
    for (const { fd, start, end } of this.#files) {
      const wanted = Math.min(end, from + length) - at;
      if (at < start || wanted <= 0) continue;
      const { bytesRead, buffer } = await readFile(fd, Buffer.alloc(wanted), 0, wanted, at - start);
      pieces.push(buffer.subarray(0, bytesRead));
      at += bytesRead;
      if (bytesRead < wanted) break;
    }
    if (at >= this.bytes) pieces.push(this.tail.subarray(at - this.bytes, from + length - this.bytes));
    return Buffer.concat(pieces);
  }

  async *stream(from: number, to: number): AsyncGenerator<Buffer> {
    for (let at = from; at < to; ) {
      const piece = await this.take(at, Math.min(CHUNK_BYTES, to - at));
      if (piece.length === 0) return;
      at += piece.length;
      yield piece;
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.stream(start, end), { objectMode: false });
  }

  /** Reads without a stream: yauzl reads the central directory in many small steps. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#takeCached(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(bytes.length < length ? new Error('unexpected end of file') : null);
      },
      (error: Error) => callback(error),
    );
  }

  /** Like `take`, but reads ahead for the next call. */
  async #takeCached(from: number, length: number): Promise<Buffer> {
    if (length > CHUNK_BYTES || from + length > this.bytes) return this.take(from, length);
    const { start, bytes } = this.#window;
    if (from < start || from + length > start + bytes.length)
      this.#window = { start: from, bytes: await this.take(from, CHUNK_BYTES) };
    const at = from - this.#window.start;
    return this.#window.bytes.subarray(at, at + length);
  }

  override close(callback: (error: Error | null) => void): void {
    for (const { fd } of this.#files.splice(0)) closeSync(fd);
    setImmediate(() => callback(null));
  }
}

/** The end record of a zip: the number of its parts and the position of its central directory. */
interface ZipEnd {
  readonly parts: number;
  readonly entries: number;
  readonly size: number;
  readonly part: number;
  readonly offset: number;
}

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END64_BYTES = 56;
const ENTRY_BYTES = 46;
const MAX_COMMENT_BYTES = 65_535;
const MAX_DIRECTORY_BYTES = 128 * 2 ** 20;
/** Marks a part number that is stored in the extra field. */
const IN_EXTRA = 0xffff;

const hasSignature = (bytes: Buffer, at: number, signature: string) =>
  bytes.toString('latin1', at, at + 4) === signature;

/** Reads the end record. Returns undefined if the file does not end like a zip. */
export async function readZipEnd(reader: PartsReader): Promise<ZipEnd | undefined> {
  const from = Math.max(0, reader.bytes - END_BYTES - LOCATOR_BYTES - MAX_COMMENT_BYTES);
  const bytes = await reader.take(from, reader.bytes - from);
  const at = bytes.lastIndexOf('PK\x05\x06', bytes.length - END_BYTES, 'latin1');
  if (at < 0) return undefined;
  const locator = at - LOCATOR_BYTES;
  if (locator < 0 || !hasSignature(bytes, locator, 'PK\x06\x07'))
    return {
      parts: bytes.readUInt16LE(at + 4) + 1,
      part: bytes.readUInt16LE(at + 6),
      entries: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 12),
      offset: bytes.readUInt32LE(at + 16),
    };
  const parts = bytes.readUInt32LE(locator + 16);
  const start = reader.starts[bytes.readUInt32LE(locator + 4)];
  const offset = Number(bytes.readBigUInt64LE(locator + 8));
  const end = start === undefined ? undefined : await reader.take(start + offset, END64_BYTES);
  if (end?.length !== END64_BYTES || !hasSignature(end, 0, 'PK\x06\x06'))
    return { parts, part: 0, entries: 0, size: 0, offset: 0 };
  return {
    parts,
    part: end.readUInt32LE(20),
    entries: Number(end.readBigUInt64LE(32)),
    size: Number(end.readBigUInt64LE(40)),
    offset: Number(end.readBigUInt64LE(48)),
  };
}

/**
 * Makes the parts readable as one zip: appends an end record for a single part, and returns how far each entry must be
 * moved, because entries name positions within their part. Returns undefined if the zip is damaged.
 */
export async function joinParts(reader: PartsReader, end: ZipEnd): Promise<number[] | undefined> {
  const { starts } = reader;
  const start = starts[end.part];
  if (start === undefined || end.size > MAX_DIRECTORY_BYTES) return undefined;
  const directory = await reader.take(start + end.offset, end.size);
  const moves: number[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length && moves.length < end.entries; ) {
    if (!hasSignature(directory, at, 'PK\x01\x02')) return undefined;
    const extraAt = at + ENTRY_BYTES + directory.readUInt16LE(at + 28);
    const extraEnd = extraAt + directory.readUInt16LE(at + 30);
    const move = starts[findPart(directory, at, directory.subarray(extraAt, extraEnd))];
    if (move === undefined) return undefined;
    moves.push(move);
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  reader.tail = makeZipEnd(reader.bytes, { ...end, offset: start + end.offset });
  return moves.length === end.entries ? moves : undefined;
}

/** Returns the part in which an entry begins. Large numbers are in the extra field, in a fixed order. */
function findPart(directory: Buffer, entry: number, extra: Buffer): number {
  const part = directory.readUInt16LE(entry + 34);
  if (part !== IN_EXTRA) return part;
  const before =
    [24, 20, 42].filter((field) => directory.readUInt32LE(entry + field) === 0xffffffff).length * 8;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1 && at + 4 + before + 4 <= extra.length)
      return extra.readUInt32LE(at + 4 + before);
  return part;
}

/** Writes the end records of APPNOTE 4.3.14 to 4.3.16 for a single part. */
function makeZipEnd(at: number, { entries, size, offset }: ZipEnd): Buffer {
  const bytes = Buffer.alloc(END64_BYTES + LOCATOR_BYTES + END_BYTES);
  bytes.write('PK\x06\x06', 0, 'latin1');
  bytes.writeBigUInt64LE(BigInt(END64_BYTES - 12), 4);
  bytes.writeBigUInt64LE(BigInt(entries), 24);
  bytes.writeBigUInt64LE(BigInt(entries), 32);
  bytes.writeBigUInt64LE(BigInt(size), 40);
  bytes.writeBigUInt64LE(BigInt(offset), 48);
  bytes.write('PK\x06\x07', END64_BYTES, 'latin1');
  bytes.writeBigUInt64LE(BigInt(at), END64_BYTES + 8);
  bytes.writeUInt32LE(1, END64_BYTES + 16);
  bytes.write('PK\x05\x06', END64_BYTES + LOCATOR_BYTES, 'latin1');
  return bytes;
}
