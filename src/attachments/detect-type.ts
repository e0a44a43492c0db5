import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';

/** First bytes in hex by media type. `..` stands for any byte. */
const MAGIC: readonly (readonly [start: RegExp, type: string])[] = [
  [/^504b(?:0304|0506)/, 'application/zip'],
  [/^d0cf11e0a1b11ae1/, 'application/x-ole-storage'],
  [/^7b5c727466/, 'application/rtf'],
  [/^1f8b/, 'application/gzip'],
  [/^377abcaf/, 'application/x-7z-compressed'],
  [/^526172211a/, 'application/vnd.rar'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^89504e470d0a/, 'image/png'],
  [/^474946383[79]61/, 'image/gif'],
  [/^(?:49492a00|4d4d002a)/, 'image/tiff'],
  // RIFF, then the size and WEBP, WAVE or AVI.
  [/^52494646(?:..){4}57454250/, 'image/webp'],
  [/^52494646(?:..){4}57415645/, 'audio/wav'],
  [/^52494646(?:..){4}41564920/, 'video/x-msvideo'],
  // The size, `ftyp` and a brand: heic or mif1, avif, M4A, qt.
  [/^(?:..){4}66747970(?:686569|6d696631)/, 'image/heic'],
  [/^(?:..){4}6674797061766966/, 'image/avif'],
  [/^(?:..){4}667479704d3441/, 'audio/mp4'],
  [/^(?:..){4}667479707174/, 'video/quicktime'],
  [/^(?:..){4}66747970/, 'video/mp4'],
  [/^4f676753/, 'audio/ogg'],
  [/^(?:494433|fff[ab23])/, 'audio/mpeg'],
  [/^664c6143/, 'audio/flac'],
  [/^2321414d52/, 'audio/amr'],
  [/^1a45dfa3/, 'video/webm'],
];

/** Media types of text files by the end of their names. */
const TEXT_NAMES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.eml': 'message/rfc822',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.markdown': 'text/markdown',
  '.md': 'text/markdown',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.xhtml': 'text/html',
};

const DOCUMENT_TYPES = [
  'application/pdf',
  'message/rfc822',
  'text/calendar',
  'text/csv',
  'text/html',
  'text/markdown',
  'text/plain',
  'text/tab-separated-values',
  'text/vcard',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const isDocument = (type: string): type is DocumentType =>
  (DOCUMENT_TYPES as readonly string[]).includes(type);

/** Whether a file can have text. A zip may be a document, and an old Office container an encrypted one. */
export const mayHaveText = (type: string): boolean =>
  isDocument(type) || type === 'application/zip' || type === 'application/x-ole-storage';

/** Signatures and keys are text that nobody reads. */
const NOT_PROSE = /^application\/(?:pgp|pkcs|x-pkcs|ms-tnef)/;

const UNKNOWN = 'application/octet-stream';

/** Returns the media type of a file: by its first bytes, then by its name, then as declared. */
export function detectType(head: Uint8Array, name = '', declared = ''): string {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 1_024)).toString('latin1');
  const bytes = Buffer.from(start.slice(0, 16), 'latin1').toString('hex');
  const known = MAGIC.find(([magic]) => magic.test(bytes))?.[1];
  if (known !== undefined) return known;
  // Some programs write bytes before the header of a PDF.
  if (start.includes('%PDF-')) return 'application/pdf';
  const stated = /^[\w.+-]+\/[\w.+-]+/.exec(declared.toLowerCase().trim())?.[0] ?? '';
  if (NOT_PROSE.test(stated) || !looksLikeText(head)) return isGeneral(stated) ? UNKNOWN : stated;
  return (
    detectText(start) ??
    TEXT_NAMES[extname(name).toLowerCase()] ??
    (Object.values(TEXT_NAMES).includes(stated) ? stated : 'text/plain')
  );
}

function detectText(start: string): string | undefined {
  const text = start.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (/^BEGIN:VCALENDAR\s/i.test(text)) return 'text/calendar';
  if (/^BEGIN:VCARD\s/i.test(text)) return 'text/vcard';
  return /^(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b/is.test(text)
    ? 'text/html'
    : undefined;
}

const isGeneral = (type: string) => type === '' || type === UNKNOWN || type.startsWith('text/');

/** Whether the bytes are text in any encoding: nearly no control characters, or UTF-16. */
function looksLikeText(head: Uint8Array): boolean {
  const some = head.subarray(0, 4_096);
  if (some.length === 0) return false;
  if ((some[0] === 0xff && some[1] === 0xfe) || (some[0] === 0xfe && some[1] === 0xff)) return true;
  const controls = some.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return controls === 0 || (controls <= some.length / 500 && isUtf8(some));
}
