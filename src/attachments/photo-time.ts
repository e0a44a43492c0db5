const MARK = Buffer.from('Exif\0\0');
const [EXIF_FOLDER, CHANGED, TAKEN, TAKEN_OFFSET] = [0x8769, 0x0132, 0x9003, 0x9011];
const MAX_ENTRIES = 200;

/** Returns when a photo was taken, as the camera wrote it: `2024-05-01 10:00:00`, with an offset if there is one. */
export function findPhotoTime(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const mark = bytes.indexOf(MARK);
  const tiff = bytes.subarray(mark + MARK.length);
  const order = tiff.toString('latin1', 0, 2);
  if (mark < 0 || tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const read = (at: number, size: 2 | 4): number => {
    if (at + size > tiff.length) return 0;
    return order === 'II' ? tiff.readUIntLE(at, size) : tiff.readUIntBE(at, size);
  };
  /** Returns the position of the value of each entry, by tag (TIFF 6.0, section 2). */
  const listEntries = (folder: number): Map<number, number> => {
    const count = Math.min(read(folder, 2), MAX_ENTRIES);
    const positions = Array.from({ length: count }, (_, index) => folder + 2 + 12 * index);
    return new Map(positions.map((at) => [read(at, 2), at + 8]));
  };
  const readText = (at: number | undefined, length: number): string =>
    at === undefined ? '' : tiff.toString('latin1', read(at, 4), read(at, 4) + length);
  const main = listEntries(read(4, 4));
  const exif = main.get(EXIF_FOLDER);
  const details = exif === undefined ? new Map<number, number>() : listEntries(read(exif, 4));
  const written = readText(details.get(TAKEN) ?? main.get(CHANGED), 19);
  const [, year, month, day, clock] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(written) ?? [];
  if (clock === undefined || year === '0000') return undefined;
  const offset = /^[+-]\d\d:\d\d/.exec(readText(details.get(TAKEN_OFFSET), 6))?.[0] ?? '';
  return `${year}-${month}-${day}T${clock}${offset}`;
}
