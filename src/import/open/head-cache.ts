import { HEAD_BYTES } from '../disk-file.ts';

const MOST_BYTES = 64 * 2 ** 20;

/** The beginnings of files, which every importer looks at; the ones not used for longest go when there are too many. */
export class HeadCache {
  readonly #heads = new Map<string, Promise<Uint8Array>>();
  #bytes = 0;

  get(path: string, open: () => AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const known = this.#heads.get(path);
    if (known !== undefined) {
      this.#heads.delete(path);
      this.#heads.set(path, known);
      return known;
    }
    const head = readHead(open()).then((bytes) => {
      this.#bytes += bytes.length;
      return bytes;
    });
    this.#heads.set(path, head);
    return head.finally(() => this.#shrink());
  }

  async #shrink(): Promise<void> {
    for (const [path, head] of this.#heads) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#heads.delete(path);
      this.#bytes -= (await head).length;
    }
  }
}

async function readHead(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}
