import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { RandomAccessReader } from 'yauzl';

const readFile = promisify(read);
const PIECE_BYTES = 256 * 1_024;
const WINDOW_BYTES = 256 * 1_024;

/** Several files as if they were one, read at any place. What is set as `tail` stands after the last of them. */
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

  /** So many bytes from there; fewer at the end. */
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

  async *walk(from: number, to: number): AsyncGenerator<Buffer> {
    for (let at = from; at < to; ) {
      const piece = await this.take(at, Math.min(PIECE_BYTES, to - at));
      if (piece.length === 0) return;
      at += piece.length;
      yield piece;
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.walk(start, end), { objectMode: false });
  }

  /** Without a stream, because the table of contents is read in small bits, which lie one after another. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#takeNear(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(bytes.length < length ? new Error('ends early') : null);
      },
      (error: Error) => callback(error),
    );
  }

  /** The same as take, from a piece that is kept for the next time. */
  async #takeNear(from: number, length: number): Promise<Buffer> {
    if (length > WINDOW_BYTES || from + length > this.bytes) return this.take(from, length);
    const { start, bytes } = this.#window;
    if (from < start || from + length > start + bytes.length)
      this.#window = { start: from, bytes: await this.take(from, WINDOW_BYTES) };
    const at = from - this.#window.start;
    return this.#window.bytes.subarray(at, at + length);
  }

  override close(callback: (error: Error | null) => void): void {
    for (const { fd } of this.#files.splice(0)) closeSync(fd);
    setImmediate(() => callback(null));
  }
}
