import type { InputFile, Recognised } from './importer.ts';

/** Counts bytes as they are read. A file that is read twice counts once: only its latest pass counts. */
export function trackReading(recognised: Recognised) {
  const positions = new Map<string, number>();
  const paths = new Set(recognised.files.map(({ path }) => path));
  let current = recognised.files[0]?.path ?? '';
  let read = 0;
  const track = (file: InputFile): InputFile => ({
    path: file.path,
    bytes: file.bytes,
    head: () => file.head(),
    diskPath: () => file.diskPath(),
    async *open() {
      read -= positions.get(file.path) ?? 0;
      positions.set(file.path, 0);
      for await (const chunk of file.open()) {
        current = file.path;
        read += chunk.length;
        positions.set(file.path, (positions.get(file.path) ?? 0) + chunk.length);
        yield chunk;
      }
    },
  });
  let bytesTotal: number | undefined = 0;
  for (const { bytes } of recognised.files)
    bytesTotal = bytesTotal === undefined || bytes === undefined ? undefined : bytesTotal + bytes;
  return {
    /** The same export. Reading its files updates the progress. */
    recognised: { ...recognised, files: recognised.files.map(track) },
    progress: () => ({ bytes: read, bytesTotal }),
    /** Returns the path of the file that was read last. */
    currentPath: () => current,
    includes: (path: string) => paths.has(path),
  };
}
