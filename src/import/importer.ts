import type { SourceDeclaration } from '../schema-index/declaration.ts';
import type { OnLocalTime } from './read/read-time.ts';

/** A file of an export, wherever it lies: on the disk, in a zip, in one part of several. It can be read again. */
export interface InputFile {
  /** Where it lies in what was given, with forward slashes: to tell files apart and to name them in a report. */
  readonly path: string;
  /** The zip or tar that it was given in, by its path without the ending. */
  readonly archive?: string;
  /** Its size when unpacked, as far as that is known before reading. */
  readonly bytes: number | undefined;
  /** The beginning, 64 KiB at most. Kept, so that every importer may look at it. */
  head(): Promise<Uint8Array>;
  /** All bytes from the first, in pieces. */
  open(): AsyncIterable<Uint8Array>;
  /** A file on the disk with these bytes, for what reads databases. A private copy where it lies packed. */
  diskPath(): Promise<string>;
}

/** Files that belong together and become records of one connection. */
export interface Recognised {
  readonly files: readonly InputFile[];
  /** By marks that only this source makes; by a shape that fits; or because anything can be read so. */
  readonly certainty: 'certain' | 'likely' | 'fallback';
  /** Which account it is, where the files tell: `anna@example.org`. Two accounts are two connections. */
  readonly account?: string;
  /** The folder that the export fills, where its files show it: what else lies in it is part of the export too. */
  readonly folder?: string;
}

export interface ImportOptions {
  /** What times without a zone mean. */
  readonly timeZone: string;
  /** Whether 03/04 is the third of April, where the owner has said it. */
  readonly dayFirst?: boolean;
  /** Hears of every value that depends on `timeZone`. Keys are then made as if the zone had never changed. */
  readonly onLocalTime?: OnLocalTime;
  /** What the owner made of the declaration. Only formats that are whatever the file says read by it. */
  readonly declaration?: SourceDeclaration;
}

/** What reading yields, in the order of the files. The words for people are about files, never about values. */
export type ImportItem =
  | {
      readonly kind: 'record';
      readonly stream: string;
      /** Fits the stream's schema. Without a value for its primary key, one is made of the rest and an ordinal. */
      readonly data: Record<string, unknown>;
      /** What earlier versions read instead of some of the data. The key is made of it, so that nothing doubles. */
      readonly legacyData?: Readonly<Record<string, unknown>>;
      /** Where it stands: `line 12`, `message 3`. Named in the report when the record is refused. */
      readonly place?: string;
      readonly file: InputFile;
    }
  /** Something that could not be read, or was left out on purpose: it goes into the report, the rest goes on. */
  | { readonly kind: 'problem'; readonly file: InputFile; readonly place?: string; readonly reason: string }
  /** Something the owner should know: which order of day and month was taken, which encoding. */
  | { readonly kind: 'note'; readonly file: InputFile; readonly note: string }
  /** Who the owner is here: a mail address, a user id, a handle. */
  | { readonly kind: 'self'; readonly value: string };

/** How a person gets the export, for the page. */
export interface ExportGuide {
  /** What to click, one step each. */
  readonly steps: readonly string[];
  /** How long it takes until the file is there. */
  readonly waiting: string;
  /** What to choose where there is a choice. */
  readonly choose?: string;
}

/** All that are known. Most of a server's life passes without them, so whoever needs them asks for them then. */
export type LoadImporters = () => Promise<readonly Importer[]>;

/** Names of fields, by stream. */
export type Identity = Readonly<Record<string, readonly string[]>>;

/** How records of a stream sum up those of another: a chat its messages. Names of fields, but for `of`. */
export interface Totals {
  /** The stream that is summed up. */
  readonly of: string;
  /** Where those records name the one they belong to. */
  readonly by: string;
  readonly count: string;
  readonly first: string;
  readonly last: string;
  readonly people: string;
}

/** One format of export. A file of its own in `sources`, with its declaration beside it. */
export interface Importer {
  /** Short and stable: `chatgpt`. It is what `--as` takes. */
  readonly format: string;
  /** For people: `ChatGPT export`. */
  readonly title: string;
  readonly guide: ExportGuide;
  /** The declaration is guessed from each file, so the next file of the same name may give another. */
  readonly isGuessed?: true;
  /** Whether the service writes one archive for all: what else lies in it belongs to that export and to no other. */
  readonly fillsArchive?: boolean;
  /**
   * For streams whose source gives no ids: the fields that tell one record from another. A key is made of these alone,
   * so that a field which a later version reads besides doubles nothing. Without them it is made of all there is.
   */
  readonly identity?: Identity;
  /** Streams whose records sum up those of another, and come after them: what an earlier import brought counts too. */
  readonly totals?: Readonly<Record<string, Totals>>;
  /** The account names a bank or a folder, which several owners may share: more must show that two exports are of one. */
  readonly accountIsShared?: boolean;
  /** The stream of the owner's accounts, and its fields that hold a number of the account: two numbers are two accounts. */
  readonly accountNumbers?: { readonly stream: string; readonly fields: readonly string[] };
  /** Finds its own among all files that were given, by content. Never throws for what is somebody else's. */
  recognise(files: readonly InputFile[]): Promise<readonly Recognised[]>;
  /** Why a file of this source that nobody reads is not read, and what to do: it is a page where data was wanted. */
  explain?(file: InputFile): Promise<string | undefined>;
  /** What the connection offers. The same for every export, but for formats that are whatever the file says. */
  declare(recognised: Recognised, options: ImportOptions): Promise<SourceDeclaration>;
  /** Reads record by record. What is broken is a problem and no exception; memory does not grow with the file. */
  read(recognised: Recognised, options: ImportOptions): AsyncIterable<ImportItem>;
}
