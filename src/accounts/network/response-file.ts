import { HEAD_BYTES } from '../../import/disk-file.ts';
import type { InputFile } from '../../import/importer.ts';

/** Makes the body of a response readable by parsers of files. It can be opened once. */
export function createResponseFile(response: Response): InputFile {
  const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
  const chunks = toIterator(body);
  const first: Uint8Array[] = [];
  let head: Promise<Uint8Array> | undefined;
  const readHead = async () => {
    let bytes = 0;
    while (bytes < HEAD_BYTES) {
      const { value, done } = await chunks.next();
      if (done === true) break;
      first.push(value);
      bytes += value.length;
    }
    return Buffer.concat(first).subarray(0, HEAD_BYTES);
  };
  return {
    path: 'response',
    bytes: undefined,
    head() {
      head ??= readHead();
      return head;
    },
    async *open() {
      try {
        await this.head();
        yield* first.splice(0);
        for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
      } finally {
        await chunks.return(undefined);
      }
    },
    diskPath: () => Promise.reject(new Error('The response is not on disk.')),
  };
}

async function* toIterator(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield* chunks;
  return undefined;
}
