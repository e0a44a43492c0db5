import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly path: string;
  readonly content: Uint8Array | string;
  readonly encrypted?: boolean;
  readonly link?: boolean;
  /** What the zip says the unpacked size is, where that is a lie. */
  readonly claimedSize?: number;
  /** Bytes as they are, said to be deflated. */
  readonly packed?: Uint8Array;
}

/** A zip with just what it is told, wrong things too. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, content, encrypted = false, link = false, claimedSize, packed } of entries) {
    const bytes = Buffer.from(content);
    const data = Buffer.from(packed ?? deflateRawSync(bytes));
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((encrypted ? 1 : 0) | 0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(claimedSize ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, data]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(((link ? 0o120777 : 0o100644) << 16) >>> 0, 6);
    central.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, central, name]));
    parts.push(local);
    at += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, index, end]);
}

/** The same for zips beyond 4 GB or 65,535 entries, whose numbers stand in fields of their own: here with one entry. */
export function makeZip64(path: string, content: string): Buffer {
  const [name, bytes] = [Buffer.from(path), Buffer.from(content)];
  const data = deflateRawSync(bytes);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(45, 0);
  common.writeUInt16LE(0x800, 2);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(bytes), 10);
  common.writeUInt32LE(0xffffffff, 14);
  common.writeUInt32LE(0xffffffff, 18);
  common.writeUInt16LE(name.length, 22);
  const sizes = Buffer.alloc(28);
  sizes.writeUInt16LE(1, 0);
  sizes.writeUInt16LE(24, 2);
  sizes.writeBigUInt64LE(BigInt(bytes.length), 4);
  sizes.writeBigUInt64LE(BigInt(data.length), 12);
  common.writeUInt16LE(sizes.length, 24);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, sizes, data]);
  const central = Buffer.alloc(14);
  central.writeUInt32LE((0o100644 << 16) >>> 0, 6);
  central.writeUInt32LE(0xffffffff, 10);
  const index = Buffer.concat([Buffer.from('PK\x01\x02\x2d\x03'), common, central, name, sizes]);
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 0, 'latin1');
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(45, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(1n, 24);
  end64.writeBigUInt64LE(1n, 32);
  end64.writeBigUInt64LE(BigInt(index.length), 40);
  end64.writeBigUInt64LE(BigInt(local.length), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 0, 'latin1');
  locator.writeBigUInt64LE(BigInt(local.length + index.length), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22, 0xff);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt32LE(0, 4);
  end.writeUInt16LE(0, 20);
  return Buffer.concat([local, index, end64, locator, end]);
}

/** A tar in the ustar form. */
export function makeTar(entries: readonly { path: string; content: string; type?: string }[]): Buffer {
  const blocks = entries.flatMap(({ path, content, type = '0' }) => {
    const header = Buffer.alloc(512);
    const bytes = Buffer.from(content);
    header.write(path, 0);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar\0', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

/** A zip as packers cut it that count parts: entries and the table of contents are told by part and place in it. */
export function cutZip(entries: readonly ZipEntry[], size: number): Buffer[] {
  const whole = Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), makeZip(entries)]);
  const end = whole.length - 22;
  const table = whole.readUInt32LE(end + 16) + 4;
  const place = (offset: number): [number, number] => [Math.floor(offset / size), offset % size];
  for (let at = table; at < end; ) {
    const [part, offset] = place(whole.readUInt32LE(at + 42) + 4);
    whole.writeUInt16LE(part, at + 34);
    whole.writeUInt32LE(offset, at + 42);
    at += 46 + whole.readUInt16LE(at + 28) + whole.readUInt16LE(at + 30) + whole.readUInt16LE(at + 32);
  }
  const [part, offset] = place(table);
  const count = Math.ceil(whole.length / size);
  whole.writeUInt16LE(count - 1, end + 4);
  whole.writeUInt16LE(part, end + 6);
  whole.writeUInt32LE(offset, end + 16);
  return Array.from({ length: count }, (_, i) => whole.subarray(i * size, (i + 1) * size));
}
