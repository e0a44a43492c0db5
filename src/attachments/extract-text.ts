import { type DocumentType, detectType, isDocument } from './detect-type.ts';
import {
  type FileText,
  type ReadText,
  TextBuffer,
  type TextContext,
  type TextStatus,
  Unreadable,
} from './file-text.ts';
import { readBookText } from './formats/book-text.ts';
import { readCardText } from './formats/card-text.ts';
import { readMailText } from './formats/mail-text.ts';
import { readOpenDocumentText } from './formats/open-document-text.ts';
import { readPdfText } from './formats/pdf-text.ts';
import { readHtml, readPlainText, readTableText } from './formats/plain-text.ts';
import { readSpreadsheetText } from './formats/spreadsheet-text.ts';
import { readSlidesText, readWordText } from './formats/word-text.ts';
import type { TextLimits } from './text-limits.ts';
import { openParts, type Parts } from './unzip-parts.ts';

const READERS: Readonly<Record<DocumentType, ReadText>> = {
  'application/pdf': readPdfText,
  'message/rfc822': readMailText,
  'text/calendar': readCardText,
  'text/csv': readTableText,
  'text/html': readHtml,
  'text/markdown': readPlainText,
  'text/plain': readPlainText,
  'text/tab-separated-values': readTableText,
  'text/vcard': readCardText,
};

type ReadParts = (parts: Parts, context: TextContext) => Promise<void>;

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.[a-z-]+$/;

/** Formats that are a zip, by a part that only they have. */
const PACKAGES: readonly (readonly [part: RegExp, type: string, read: ReadParts])[] = [
  [/^word\/document\d*\.xml$/, `${OFFICE}wordprocessingml.document`, readWordText],
  [/^xl\/workbook\.xml$/, `${OFFICE}spreadsheetml.sheet`, readSpreadsheetText],
  [/^ppt\/presentation\.xml$/, `${OFFICE}presentationml.presentation`, readSlidesText],
  [/^META-INF\/container\.xml$/, 'application/epub+zip', readBookText],
  [/^content\.xml$/, 'application/vnd.oasis.opendocument.text', readOpenDocumentText],
];

/** Extracts the text of a file. Never throws because of its content. text-pool.ts runs it in a thread. */
export async function extractText(
  bytes: Uint8Array,
  name: string | undefined,
  mediaType: string | undefined,
  limits: TextLimits,
): Promise<FileText> {
  const extraction = new Extraction(limits);
  const status = await extraction.run(bytes, name, mediaType);
  const text = extraction.out.join();
  return {
    status: status === 'read' && text === '' ? 'empty' : status,
    mediaType: extraction.mediaType,
    ...(text !== '' && { text }),
  };
}

/** Reads one file and the files inside it into one text. */
class Extraction {
  readonly out: TextBuffer;
  /** The type of the outer file. */
  mediaType = '';
  readonly #limits: TextLimits;
  #unpacked = 0;

  constructor(limits: TextLimits) {
    this.out = new TextBuffer(limits.characters);
    this.#limits = limits;
  }

  async run(bytes: Uint8Array, name: string | undefined, mediaType: string | undefined): Promise<TextStatus> {
    try {
      await this.#read(bytes, name, mediaType, 1);
      return 'read';
    } catch (error) {
      if (error instanceof Unreadable) return error.status;
      return error instanceof RangeError ? 'too_large' : 'damaged';
    }
  }

  async #read(
    bytes: Uint8Array,
    name: string | undefined,
    mediaType: string | undefined,
    depth: number,
  ): Promise<void> {
    const type = detectType(bytes, name, mediaType);
    if (depth === 1) this.mediaType = type;
    const context = this.#createContext(depth);
    if (type === 'application/zip') return this.#readPackage(bytes, context, depth);
    if (type === 'application/x-ole-storage')
      throw new Unreadable(isEncrypted(bytes) ? 'encrypted' : 'unsupported');
    if (!isDocument(type)) throw new Unreadable('unsupported');
    return READERS[type](bytes, context);
  }

  async #readPackage(bytes: Uint8Array, context: TextContext, depth: number): Promise<void> {
    const parts = await openParts(bytes, context);
    const found = PACKAGES.find(([part]) => parts.list(part).length > 0);
    if (found === undefined) throw new Unreadable('unsupported');
    const [, type, read] = found;
    const stated = parts.has('mimetype') ? (await parts.readAll('mimetype')).toString('latin1').trim() : '';
    if (depth === 1) this.mediaType = OPEN_DOCUMENT.test(stated) ? stated : type;
    return read(parts, context);
  }

  #createContext(depth: number): TextContext {
    const spend = (bytes: number) => {
      this.#unpacked += bytes;
      if (this.#unpacked > this.#limits.unpackedBytes) throw new Unreadable('too_large');
    };
    return {
      ...{ out: this.out, limits: this.#limits, spend },
      readInner: async (bytes, name, mediaType) => {
        spend(bytes.length);
        if (depth >= this.#limits.depth) return;
        try {
          await this.#read(bytes, name, mediaType, depth + 1);
        } catch (error) {
          // An inner file that cannot be read is skipped. An exceeded limit ends the whole extraction.
          if (error instanceof Unreadable && (error.status === 'cut' || error.status === 'too_large'))
            throw error;
        }
      },
    };
  }
}

/** A Word or Excel file with a password is an OLE container with this entry. */
function isEncrypted(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}
