/** The stream of attached files. */
export const ATTACHMENTS = 'attachments';

/** Keeps the bytes of the file of a record. */
export type KeepFile = (
  record: string,
  name: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
) => Promise<void>;

/** A file that came with a record: inside the record's file, or beside it. */
export interface AttachedFile {
  /** Its name for people. By default, the last part of the path. */
  readonly name?: string | undefined;
  /** As the export states it. The content decides first. */
  readonly mediaType?: string | undefined;
  /** The size, for files whose content is damaged. */
  readonly bytes?: number;
  /** Returns the bytes; undefined if they are damaged. */
  readonly content?: () => Uint8Array | undefined;
  /** The path from the folder of the record's file. A file that is not part of the inputs gets no record. */
  readonly path?: string;
}
