import { HEAD_BYTES } from './disk-file.ts';
import type { InputFile } from './importer.ts';

/** Creates an input file for bytes in memory, such as one object of a server. It has no path on disk. */
export function createMemoryFile(path: string, content: Uint8Array | string): InputFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    path,
    bytes: bytes.length,
    head: async () => bytes.subarray(0, HEAD_BYTES),
    async *open() {
      yield bytes;
    },
    diskPath: () => Promise.reject(new Error('The file is in memory.')),
  };
}
