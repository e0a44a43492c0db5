/** The stream of attached files. */
export const ATTACHMENTS = 'attachments';

/** Keeps the bytes of the file of a record. */
export type KeepFile = (
  record: string,
  name: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
) => Promise<void>;

/** The bytes of an attached file. */
export interface AttachedBytes {
  /** Undefined if it is known only after reading. */
  readonly size: number | undefined;
  head(): Promise<Uint8Array>;
  open(): AsyncIterable<Uint8Array>;
}

/** A file that came with a record: inside the record's file, or beside it. */
export interface AttachedFile {
  /** Its name for people. By default, the name of the file that was found. */
  readonly name?: string | undefined;
  /** As the export states it. The content decides first. */
  readonly mediaType?: string | undefined;
  /** The size, for files whose content is damaged. */
  readonly bytes?: number | undefined;
  /** Returns the bytes; undefined if they are damaged. */
  readonly content?: (() => Uint8Array | undefined) | undefined;
  /** The bytes of a file that is too large for `content`. */
  readonly source?: AttachedBytes | undefined;
  /** The path in one of `folders`, or several paths of which the first that exists is taken. A file that is not part of the inputs gets no record. */
  readonly path?: string | readonly string[];
  /** Paths of folders, in the order of search. By default, the folder of the record's file. A path cannot lead out of them. */
  readonly folders?: readonly string[];
  /** What is said in a recording, if the export has it. */
  readonly transcript?: string | undefined;
  /** More fields of its record, for sources that had their own. An `id` replaces the usual key. */
  readonly fields?: Readonly<Record<string, unknown>>;
}
