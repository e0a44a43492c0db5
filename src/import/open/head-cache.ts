import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { HEAD_BYTES } from '../disk-file.ts';

const MAX_MEMORY_BYTES = 64 * 2 ** 20;
const MAX_DISK_BYTES = 2 ** 31;
/** Of pictures, sounds and films only what they are is looked at. */
const MEDIA_HEAD_BYTES = 512;

/**
 * The beginnings of files, which every importer looks at. Those that find no room in the memory go to a private file:
 * all importers go through all files, and unpacking each file again for each takes minutes.
 */
export class HeadCache {
  readonly #makePlace: () => string;
  readonly #inMemory = new Map<string, Promise<Uint8Array>>();
  readonly #diskPath = new Map<string, { readonly offset: number; readonly length: number }>();
  #memoryBytes = 0;
  #diskBytes = 0;
  #file: number | undefined;

  constructor(makePlace: () => string) {
    this.#makePlace = makePlace;
  }

  get(path: string, open: () => AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const known = this.#inMemory.get(path);
    if (known !== undefined) return known;
    const place = this.#diskPath.get(path);
    if (place !== undefined) return Promise.resolve(this.#read(place));
    const head = readHead(open()).then((bytes) => {
      this.#memoryBytes += bytes.length;
      if (this.#memoryBytes > MAX_MEMORY_BYTES) {
        this.#memoryBytes -= bytes.length;
        this.#inMemory.delete(path);
        this.#write(path, bytes);
      }
      return bytes;
    });
    this.#inMemory.set(path, head);
    return head;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #read({ offset, length }: { readonly offset: number; readonly length: number }): Uint8Array {
    const bytes = Buffer.allocUnsafe(length);
    readSync(this.#file as number, bytes, 0, length, offset);
    return bytes;
  }

  #write(path: string, bytes: Uint8Array): void {
    if (this.#diskBytes + bytes.length > MAX_DISK_BYTES) return;
    this.#file ??= openSync(this.#makePlace(), 'wx+', 0o600);
    writeSync(this.#file, bytes, 0, bytes.length, this.#diskBytes);
    this.#diskPath.set(path, { offset: this.#diskBytes, length: bytes.length });
    this.#diskBytes += bytes.length;
  }
}

async function readHead(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES || isMedia(parts[0] as Uint8Array)) break;
  }
  const head = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  // A copy: a part of a longer piece would keep the whole of it.
  return Uint8Array.from(head.subarray(0, isMedia(head) ? MEDIA_HEAD_BYTES : HEAD_BYTES));
}

const MEDIA_MARKS = [
  '\xff\xd8\xff',
  '\x89PNG',
  'GIF8',
  'RIFF',
  'OggS',
  'ID3',
  'fLaC',
  '%PDF',
  '\x1aE\xdf\xa3',
];

function isMedia(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return text.startsWith('ftyp', 4) || MEDIA_MARKS.some((mark) => text.startsWith(mark));
}
