import type { InputFile, Recognised } from './importer.ts';

export interface Reading {
  readonly recognised: Recognised;
  progress(): { bytes: number; bytesTotal: number | undefined };
  current(): string;
  isOurs(path: string): boolean;
}

/**
 * Counts bytes as they are read. A file may be gone through more than once, to look and then to read: what counts is
 * where the last going-through is, so that the bar does not pass its end.
 */
export function followReading(recognised: Recognised): Reading {
  const positions = new Map<string, number>();
  const paths = new Set(recognised.files.map(({ path }) => path));
  let read = 0;
  let current = recognised.files[0]?.path ?? '';
  const watch = (file: InputFile): InputFile => ({
    path: file.path,
    bytes: file.bytes,
    head: () => file.head(),
    diskPath: () => file.diskPath(),
    async *open() {
      read -= positions.get(file.path) ?? 0;
      positions.delete(file.path);
      let position = 0;
      for await (const chunk of file.open()) {
        current = file.path;
        position += chunk.length;
        read += chunk.length;
        positions.set(file.path, position);
        yield chunk;
      }
    },
  });
  const sizes = recognised.files.map(({ bytes }) => bytes);
  const bytesTotal = sizes.every((size) => size !== undefined)
    ? sizes.reduce((sum: number, size) => sum + (size ?? 0), 0)
    : undefined;
  return {
    recognised: { ...recognised, files: recognised.files.map(watch) },
    progress: () => ({ bytes: read, bytesTotal }),
    current: () => current,
    isOurs: (path) => paths.has(path),
  };
}
