import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { HEAD_BYTES } from '../disk-file.ts';

const MAX_MEMORY_BYTES = 64 * 2 ** 20;
const MAX_DISK_BYTES = 2 ** 31;
/** Pictures, sounds and films need only enough bytes to know the type. */
const MEDIA_HEAD_BYTES = 512;

interface Span {
  readonly offset: number;
  readonly length: number;
}

/**
 * Caches the first bytes of archived files, first in memory, then in a private file. Every importer looks at every
 * file, and unpacking each file again takes minutes.
 */
export class HeadCache {
  readonly #makePath: () => string;
  readonly #inMemory = new Map<string, Promise<Uint8Array>>();
  readonly #inFile = new Map<string, Span>();
  #memoryBytes = 0;
  #fileBytes = 0;
  #file: number | undefined;

  constructor(makePath: () => string) {
    this.#makePath = makePath;
  }

  get(path: string, open: () => AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const known = this.#inMemory.get(path);
    if (known !== undefined) return known;
    const span = this.#inFile.get(path);
    if (span !== undefined) return Promise.resolve(this.#read(span));
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

  #read({ offset, length }: Span): Uint8Array {
    const bytes = Buffer.allocUnsafe(length);
    readSync(this.#file as number, bytes, 0, length, offset);
    return bytes;
  }

  #write(path: string, bytes: Uint8Array): void {
    if (this.#fileBytes + bytes.length > MAX_DISK_BYTES) return;
    this.#file ??= openSync(this.#makePath(), 'wx+', 0o600);
    writeSync(this.#file, bytes, 0, bytes.length, this.#fileBytes);
    this.#inFile.set(path, { offset: this.#fileBytes, length: bytes.length });
    this.#fileBytes += bytes.length;
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
  // A copy, because a subarray would keep the whole chunk in memory.
  return Uint8Array.from(head.subarray(0, isMedia(head) ? MEDIA_HEAD_BYTES : HEAD_BYTES));
}

const MEDIA_SIGNATURES = [
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
  return text.startsWith('ftyp', 4) || MEDIA_SIGNATURES.some((signature) => text.startsWith(signature));
}
