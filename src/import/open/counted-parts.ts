import type { PartsReader } from './parts-reader.ts';

/** What the end of a counted zip says: of how many parts it is the last, and where its table of contents lies. */
export interface CountedEnd {
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
const MAX_COMMENT = 65_535;
const MAX_TABLE = 128 * 2 ** 20;
const IN_EXTRA = 0xffff;

/** Reads the end of what is taken for the last part; undefined where it is not the end of a zip. */
export async function readCountedEnd(reader: PartsReader): Promise<CountedEnd | undefined> {
  const from = Math.max(0, reader.bytes - END_BYTES - LOCATOR_BYTES - MAX_COMMENT);
  const bytes = await reader.take(from, reader.bytes - from);
  const at = bytes.lastIndexOf('PK\x05\x06', bytes.length - END_BYTES, 'latin1');
  if (at < 0) return undefined;
  const locator = at - LOCATOR_BYTES;
  if (locator < 0 || bytes.toString('latin1', locator, locator + 4) !== 'PK\x06\x07')
    return {
      parts: bytes.readUInt16LE(at + 4) + 1,
      part: bytes.readUInt16LE(at + 6),
      entries: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 12),
      offset: bytes.readUInt32LE(at + 16),
    };
  const parts = bytes.readUInt32LE(locator + 16);
  const start = reader.starts[bytes.readUInt32LE(locator + 4)];
  const place = Number(bytes.readBigUInt64LE(locator + 8));
  const end = start === undefined ? undefined : await reader.take(start + place, END64_BYTES);
  if (end?.length !== END64_BYTES || end.toString('latin1', 0, 4) !== 'PK\x06\x06')
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
 * Makes one zip of counted parts: the table of contents is found by an end of our own, which counts one part, and the
 * places of the entries, which are told by part, are given as how far each is to be moved. Undefined where it is damaged.
 */
export async function joinCounted(reader: PartsReader, end: CountedEnd): Promise<number[] | undefined> {
  const { starts } = reader;
  const start = starts[end.part];
  if (start === undefined || end.size > MAX_TABLE) return undefined;
  const table = await reader.take(start + end.offset, end.size);
  const moves: number[] = [];
  for (let at = 0; at + ENTRY_BYTES <= table.length && moves.length < end.entries; ) {
    if (table.toString('latin1', at, at + 4) !== 'PK\x01\x02') return undefined;
    const [name, extra, comment] = [28, 30, 32].map((field) => table.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const part = findPart(
      table,
      at,
      table.subarray(at + ENTRY_BYTES + name, at + ENTRY_BYTES + name + extra),
    );
    const move = starts[part];
    if (move === undefined) return undefined;
    moves.push(move);
    at += ENTRY_BYTES + name + extra + comment;
  }
  reader.tail = writeEnd(reader.bytes, { ...end, offset: start + end.offset });
  return moves.length === end.entries ? moves : undefined;
}

/** In which part an entry begins. Numbers too large for their field stand in an extra one, in a fixed order. */
function findPart(table: Buffer, at: number, extra: Buffer): number {
  const part = table.readUInt16LE(at + 34);
  if (part !== IN_EXTRA) return part;
  const before = [24, 20, 42].filter((field) => table.readUInt32LE(at + field) === 0xffffffff).length * 8;
  for (let place = 0; place + 4 <= extra.length; place += 4 + extra.readUInt16LE(place + 2))
    if (extra.readUInt16LE(place) === 1 && place + 4 + before + 4 <= extra.length)
      return extra.readUInt32LE(place + 4 + before);
  return part;
}

/** APPNOTE 4.3.14 to 4.3.16, for one part. */
function writeEnd(at: number, { entries, size, offset }: CountedEnd): Buffer {
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
