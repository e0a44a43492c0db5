import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type TextContext, Unreadable } from './file-text.ts';

const MAX_PARTS = 20_000;

/** The parts of a document that is a zip: DOCX, XLSX, ODT, EPUB. */
export class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #context: TextContext;

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, context: TextContext) {
    this.#zip = zip;
    this.#entries = entries;
    this.#context = context;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Returns the names that match, with numbers in order: `slide2` before `slide10`. */
  list(pattern: RegExp): string[] {
    const order = new Intl.Collator('en', { numeric: true });
    return [...this.#entries.keys()].filter((name) => pattern.test(name)).sort(order.compare);
  }

  /** Streams a part. A missing part is empty. */
  async *open(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    if ((entry.generalPurposeBitFlag & 1) !== 0) throw new Unreadable('encrypted');
    const stream = await this.#zip.openReadStreamPromise(entry);
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        this.#context.spend(chunk.length);
        yield chunk;
      }
    } finally {
      stream.destroy();
    }
  }

  async readAll(name: string): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.open(name)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}

export async function openParts(bytes: Uint8Array, context: TextContext): Promise<Parts> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(buffer, { lazyEntries: true });
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    // The first of two parts with one name is the one that other programs show.
    if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
    if (entries.size > MAX_PARTS) throw new Unreadable('too_large');
  }
  return new Parts(zip, entries, context);
}
