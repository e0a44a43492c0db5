import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createDiskFile } from '../disk-file.ts';
import { findProgramFolder, isSystemFile, refusePath } from './input-paths.ts';
import { CUT_OFF, type Opened } from './opened.ts';

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 65_536;

interface Header {
  readonly path: string;
  readonly size: number;
  readonly type: string;
}

/**
 * Unpacks a tar into private copies, because it can only be read from the start. Supports old headers, GNU long names and
 * pax headers. Refuses links, devices and paths outside the archive.
 */
export async function untar(opened: Opened, chunks: AsyncIterable<Uint8Array>, name: string): Promise<void> {
  const reader = new BlockReader(chunks);
  let longName: string | undefined;
  for (;;) {
    const block = await reader.take(BLOCK_BYTES);
    if (block === undefined || block.every((byte) => byte === 0)) return;
    const header = readHeader(block);
    if (header === undefined)
      return opened.refuse(name, 'is damaged. Files after the damage were skipped. Download it again.');
    const { type, size } = header;
    const padded = Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    if (type === 'L' || type === 'x' || type === 'g') {
      const body = padded > MAX_NAME_BYTES ? undefined : await reader.take(padded);
      if (body === undefined) return opened.refuse(name, CUT_OFF);
      const text = Buffer.from(body.subarray(0, size)).toString('utf8');
      if (type === 'L') longName = text.replace(/\0.*$/s, '');
      if (type === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName;
      continue;
    }
    const inner = (longName ?? header.path).replace(/^\.\//, '');
    longName = undefined;
    const path = `${name}/${inner}`;
    const isFile = type === '0' || type === '\0' || type === '7';
    const refusal = isFile
      ? refusePath(inner)
      : type === '5'
        ? undefined
        : 'is a link or a device, which is not imported';
    if (refusal !== undefined) opened.refuse(path, refusal);
    const program = findProgramFolder(inner);
    if (program !== undefined) opened.skipFolder(`${name}/${program}`);
    const wanted = isFile && refusal === undefined && program === undefined && !isSystemFile(path);
    const whole = await (wanted ? copyOut(opened, reader, path, size) : reader.skip(size));
    if (!whole || !(await reader.skip(padded - size))) return opened.refuse(path, CUT_OFF);
  }
}

async function copyOut(opened: Opened, reader: BlockReader, path: string, size: number): Promise<boolean> {
  const location = opened.makeCopyPath();
  const out = createWriteStream(location, { mode: 0o600, flags: 'wx' });
  let left = size;
  while (left > 0) {
    const piece = await reader.some(left);
    if (piece === undefined) break;
    left -= piece.length;
    if (!out.write(piece)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  opened.add(createDiskFile(location, path));
  return left === 0;
}

function readHeader(block: Uint8Array): Header | undefined {
  const text = (from: number, length: number) =>
    Buffer.from(block.subarray(from, from + length))
      .toString('utf8')
      .replace(/\0.*$/s, '');
  let sum = 8 * 32;
  for (let i = 0; i < BLOCK_BYTES; i++) if (i < 148 || i >= 156) sum += block[i] as number;
  if (sum !== Number.parseInt(text(148, 8).trim(), 8)) return undefined;
  const size = readSize(block.subarray(124, 136));
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  const path = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
  return Number.isSafeInteger(size) && size >= 0
    ? { path, size, type: String.fromCharCode(block[156] as number) }
    : undefined;
}

/** Reads octal digits, or a binary number for very large files. */
function readSize(field: Uint8Array): number {
  if (((field[0] as number) & 0x80) !== 0)
    return field.subarray(4).reduce((sum, byte) => sum * 256 + byte, 0);
  return Number.parseInt(Buffer.from(field).toString('latin1').replace(/\0.*$/s, '').trim() || '0', 8);
}

class BlockReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns at least one byte and at most `max`. */
  async some(max: number): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** Returns exactly `length` bytes, or undefined if there are fewer. */
  async take(length: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    for (let left = length; left > 0; ) {
      const piece = await this.some(left);
      if (piece === undefined) return undefined;
      parts.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(parts);
  }

  async skip(length: number): Promise<boolean> {
    for (let left = length; left > 0; ) {
      const piece = await this.some(left);
      if (piece === undefined) return false;
      left -= piece.length;
    }
    return true;
  }
}
