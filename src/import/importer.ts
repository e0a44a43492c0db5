import type { AttachedFile } from '../attachments/attached-file.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import type { OnLocalTime } from './read/read-time.ts';

/** A file of an export: on disk, in an archive, or in a split archive. It can be read more than once. */
export interface InputFile {
  /** The path within the input, with forward slashes. It is unique and appears in reports. */
  readonly path: string;
  /** The archive that contains the file: its path without the extension. */
  readonly archive?: string;
  /** The unpacked size, if it is known before reading. */
  readonly bytes: number | undefined;
  /** Returns the first 64 KiB. They are cached, so every importer can look at them. */
  head(): Promise<Uint8Array>;
  /** Streams all bytes from the start. */
  open(): AsyncIterable<Uint8Array>;
  /** Returns the path of a file on disk with the same bytes, for readers that need one. Archived files are copied. */
  diskPath(): Promise<string>;
}

/** Files that form one export. Their records go into one connection. */
export interface Recognised {
  readonly files: readonly InputFile[];
  /** `certain`: only this source writes such files. `likely`: the structure fits. `fallback`: any file can be read this way. */
  readonly certainty: 'certain' | 'likely' | 'fallback';
  /** The account, if the files name it: `anna@example.org`. Each account gets its own connection. */
  readonly account?: string;
  /** Returns a file of the inputs by its path. Set after recognition, also for files that no format claims. */
  readonly findFile?: (path: string) => InputFile | undefined;
  /** Lists all files of the inputs in a folder and below it. Set as `findFile` is. */
  readonly listFiles?: (folder: string) => readonly InputFile[];
  /** The folder that belongs to the export as a whole. No other format claims the other files in it. */
  readonly folder?: string;
  /** Folders of attached files. No other format claims the files in them: a vCard in a chat is no address book. */
  readonly attachmentFolders?: readonly string[];
}

/** The owner's choices for an import. Pass them on to `readTime` and `readDay` unchanged. */
export interface ImportOptions {
  /** The time zone of times without one. */
  readonly timeZone: string;
  /** Whether 03/04 is the third of April. Undefined unless the owner chose. */
  readonly dayFirst?: boolean;
  /** Called with every value that depends on `timeZone`, so that keys stay the same when the zone changes. */
  readonly onLocalTime?: OnLocalTime;
  /** The declaration as the owner edited it. Only importers with `isGuessed` use it. */
  readonly declaration?: SourceDeclaration;
}

/** What `read` yields, in file order. Texts describe files and never quote values. */
export type ImportItem =
  | {
      readonly kind: 'record';
      readonly stream: string;
      /** Matches the stream's schema. A missing primary key is computed from the other fields. */
      readonly data: Record<string, unknown>;
      /** Values that earlier versions of the importer read. The key is computed from them, so that it stays the same. */
      readonly legacyData?: Readonly<Record<string, unknown>>;
      /** Files that came with the record. They become records of the stream `attachments`, if it is declared. */
      readonly attached?: readonly AttachedFile[];
      /** The position in the file, for the report: `line 12`, `message 3`. */
      readonly place?: string;
      readonly file: InputFile;
    }
  /** Something that could not be read or was skipped on purpose. `reason` continues a sentence: `has no date`. */
  | { readonly kind: 'problem'; readonly file: InputFile; readonly place?: string; readonly reason: string }
  /** Something the owner should know: the order of day and month, the encoding. */
  | { readonly kind: 'note'; readonly file: InputFile; readonly note: string }
  /** A name of the owner in this source: an email address, a user id, a handle. */
  | { readonly kind: 'self'; readonly value: string };

/** Tells people how to get the export. The import page shows it. */
export interface ExportGuide {
  /** What to click, one step each. */
  readonly steps: readonly string[];
  /** How long it takes until the file is ready. */
  readonly waiting: string;
  /** Which option to choose, if there are several. */
  readonly choose?: string;
}

/** Loads all importers. A server loads them only when it needs them. */
export type LoadImporters = () => Promise<readonly Importer[]>;

/** Names of the identifying fields, by stream. */
export type Identity = Readonly<Record<string, readonly string[]>>;

/**
 * How records of a stream summarize those of another one, such as chats and their messages. All values except `of` are
 * field names.
 */
export interface Totals {
  /** The stream that is summarized. */
  readonly of: string;
  /** The field of `of` that holds the key of the summary. */
  readonly by: string;
  /** The field for the number of records. */
  readonly count: string;
  /** The field for the earliest time. */
  readonly first: string;
  /** The field for the latest time. */
  readonly last: string;
  /** The field for the list of people. */
  readonly people: string;
}

/** Reads one format of export. */
export interface Importer {
  /** A short, stable name: `chatgpt`. It is the value of `--as`. */
  readonly format: string;
  /** The name for people: `ChatGPT export`. */
  readonly title: string;
  readonly guide: ExportGuide;
  /** The declaration is guessed from each file, so it can differ between files of the same name. */
  readonly isGuessed?: true;
  /** The source writes one archive per export. No other format claims files in that archive. */
  readonly fillsArchive?: boolean;
  /**
   * The fields that identify a record, for streams whose source has no ids. Keys are computed from these alone, so a
   * field added later does not duplicate records. Without an entry, keys are computed from all fields.
   */
  readonly identity?: Identity;
  /** Streams that sum up another stream. Yield their records last; earlier imports are included in the totals. */
  readonly totals?: Readonly<Record<string, Totals>>;
  /** Several owners can share the account name, such as a bank or a folder. Matching then needs more evidence. */
  readonly accountIsShared?: boolean;
  /** The stream of the owner's accounts and its account number fields. Different numbers are different accounts. */
  readonly accountNumbers?: { readonly stream: string; readonly fields: readonly string[] };
  /** Finds exports of this format among the files, by content. Never throws for files of other formats. */
  recognise(files: readonly InputFile[]): Promise<readonly Recognised[]>;
  /** Explains why an unread file of this source cannot be imported, and what to download instead. */
  explain?(file: InputFile): Promise<string | undefined>;
  /** Declares the streams. The result is the same for every export unless `isGuessed` is set. */
  declare(recognised: Recognised, options: ImportOptions): Promise<SourceDeclaration>;
  /** Yields records one by one. Broken content is a problem, not an exception. Memory use does not grow with the file. */
  read(recognised: Recognised, options: ImportOptions): AsyncIterable<ImportItem>;
}
