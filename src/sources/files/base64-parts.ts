import { createReadStream } from 'node:fs';
import type { AttachedFile } from '../../attachments/attached-file.ts';
import { HEAD_BYTES } from '../../import/disk-file.ts';
import type { InputFile } from '../../import/importer.ts';

/** The first base64 in bytes: where copying ends, what follows, and the character that ends the base64. */
export type FoundBase64 =
  | { readonly kind: 'none' | 'unfinished'; readonly end: number }
  | { readonly kind: 'base64'; readonly end: number; readonly until: '<' | '"' | "'" };

/** Describes bytes without base64. They may end inside the first characters of a tag. */
export function findTagStart(bytes: Buffer, tag: Buffer): FoundBase64 {
  for (let length = Math.min(tag.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(tag.subarray(0, length)))
      return { kind: 'unfinished', end: bytes.length - length };
  return { kind: 'none', end: bytes.length };
}

/**
 * Replaces the base64 in an XML file by its position. An XML parser would hold a file of 200 MB as one text. `find`
 * searches the bytes that follow the last position. After `unfinished` it gets the same bytes with more after them.
 */
export function replaceBase64(file: InputFile, find: (bytes: Buffer) => FoundBase64): InputFile {
  return {
    path: file.path,
    bytes: file.bytes,
    head: () => file.head(),
    diskPath: () => file.diskPath(),
    open: () => replace(file.open(), find),
  };
}

async function* replace(
  chunks: AsyncIterable<Uint8Array>,
  find: (bytes: Buffer) => FoundBase64,
): AsyncGenerator<Uint8Array> {
  let pending = Buffer.alloc(0);
  let position = 0;
  let current: { start: number; until: string; counter: ByteCounter } | undefined;
  const close = ({ start, counter }: NonNullable<typeof current>) =>
    Buffer.from(`${start}-${position}-${counter.bytes}`);
  for await (const chunk of chunks) {
    let bytes = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    pending = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (current !== undefined) {
        const end = bytes.indexOf(current.until);
        const own = end === -1 ? bytes : bytes.subarray(0, end);
        current.counter.add(own);
        position += own.length;
        if (end === -1) break;
        yield close(current);
        current = undefined;
        bytes = bytes.subarray(end);
      }
      const found = find(bytes);
      yield bytes.subarray(0, found.end);
      position += found.end;
      bytes = bytes.subarray(found.end);
      if (found.kind === 'base64')
        current = { start: position, until: found.until, counter: new ByteCounter() };
      if (found.kind === 'unfinished') {
        pending = Buffer.from(bytes);
        break;
      }
    }
  }
  if (current !== undefined) yield close(current);
  yield pending;
}

const [AMPERSAND, SEMICOLON, EQUALS, SPACE] = [0x26, 0x3b, 0x3d, 0x20];

/** Counts the bytes that base64 stands for. Line breaks may be written as `&#10;`. */
class ByteCounter {
  #characters = 0;
  #isInEntity = false;

  add(bytes: Buffer): void {
    for (const byte of bytes) {
      if (byte === AMPERSAND) this.#isInEntity = true;
      else if (byte === SEMICOLON) this.#isInEntity = false;
      else if (!this.#isInEntity && byte > SPACE && byte !== EQUALS) this.#characters += 1;
    }
  }

  get bytes(): number {
    return Math.floor((this.#characters * 3) / 4);
  }
}

/** Returns the file at a position that `replaceBase64` wrote. A file without content is damaged. */
export function openBase64(
  file: InputFile,
  position = '',
): Pick<AttachedFile, 'source' | 'bytes' | 'content'> {
  const [, start, end, bytes] = /^(\d+)-(\d+)-(\d+)$/.exec(position.trim()) ?? [];
  if (start === undefined || bytes === '0') return { content: () => undefined };
  const size = Number(bytes);
  const open = () => decodeBase64(readRange(file, Number(start), Number(end)));
  return { bytes: size, source: { size, head: () => readHead(open()), open } };
}

async function* readRange(file: InputFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(await file.diskPath(), { start, end: end - 1 });
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } finally {
    stream.destroy();
  }
}

async function readHead(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const head: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    head.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(head).subarray(0, HEAD_BYTES);
}

const MAX_ENTITY_CHARACTERS = 8;

/** Decodes base64 with line breaks. Throws if it is broken. */
async function* decodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk).toString('latin1');
    // A chunk may end inside an entity.
    const entity = text.indexOf('&', Math.max(0, text.length - MAX_ENTITY_CHARACTERS));
    const whole = cleanBase64(entity === -1 ? text : text.slice(0, entity));
    const end = whole.length - (whole.length % 4);
    rest = whole.slice(end) + (entity === -1 ? '' : text.slice(entity));
    yield Buffer.from(whole.slice(0, end), 'base64');
  }
  const last = cleanBase64(rest);
  if (last.replace(/=+$/, '').length % 4 === 1) throw new Error('The base64 is cut off.');
  yield Buffer.from(last, 'base64');
}

function cleanBase64(text: string): string {
  const plain = text.replace(/&#x?[\da-f]{1,4};|\s+/gi, '');
  if (!/^[\w+/-]*=*$/.test(plain)) throw new Error('The base64 is broken.');
  return plain;
}
