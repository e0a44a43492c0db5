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
