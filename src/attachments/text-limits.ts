/** Limits for reading the text of one file. Nested files share them. */
export interface TextLimits {
  readonly timeMs: number;
  /** The JavaScript heap of the thread. Buffers have a limit of their own. */
  readonly heapMb: number;
  readonly bufferBytes: number;
  /** Larger files are not read. */
  readonly fileBytes: number;
  /** All parts that are unpacked from a file. */
  readonly unpackedBytes: number;
  readonly pages: number;
  /** Rows of each sheet or table. */
  readonly rows: number;
  readonly characters: number;
  /** Files inside files: a document attached to an attached mail. */
  readonly depth: number;
}

export const TEXT_LIMITS: TextLimits = {
  timeMs: 30_000,
  heapMb: 256,
  bufferBytes: 128 * 2 ** 20,
  fileBytes: 32 * 2 ** 20,
  unpackedBytes: 128 * 2 ** 20,
  pages: 1_000,
  rows: 1_000,
  characters: 1_000_000,
  depth: 3,
};
