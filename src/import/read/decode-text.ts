import { isAscii, isUtf8 } from 'node:buffer';
import type { InputFile } from '../importer.ts';
import { decodeWindows1252, guessEncoding } from './guess-encoding.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'utf-8 with broken bytes';

export interface DecodedText {
  /** The text in chunks, without a byte order mark. */
  readonly pieces: AsyncIterable<string>;
  encoding(): Encoding;
}

/** Decodes a file as text and detects its encoding. An encoding that the format names (`windows-1251`) takes precedence. */
export async function decodeText(file: InputFile, named?: string): Promise<DecodedText> {
  const head = await file.head();
  const known = guessWide(head) ?? findDecoder(named) ?? guessOld(head);
  if (known !== undefined)
    return { pieces: decodeKnown(file.open(), known), encoding: () => known as Encoding };
  const found: { encoding: Encoding } = { encoding: 'utf-8' };
  return { pieces: decodeUnknown(file.open(), found), encoding: () => found.encoding };
}

/** Decodes the first 64 KiB of a file. Drops an incomplete last character. */
export async function peekText(file: InputFile, named?: string): Promise<string> {
  const head = await file.head();
  const known = guessWide(head) ?? findDecoder(named) ?? guessOld(head);
  if (known !== undefined) return new TextDecoder(known).decode(head, { stream: true });
  const whole = head.subarray(0, head.length - countUnfinished(head));
  return dropMark(isUtf8(whole) || isDamagedUtf8(whole) ? toText(whole) : decodeWindows1252(head));
}

/** Whether the file starts as UTF-8 without a byte order mark. */
export function isPlainUtf8(head: Uint8Array): boolean {
  const whole = head.subarray(0, head.length - countUnfinished(head));
  return head[0] !== 0xef && guessWide(head) === undefined && isUtf8(whole);
}

async function* decodeKnown(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(name);
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * Decodes UTF-8 until a byte is invalid. After pure ASCII the file is then read as Windows-1252; otherwise it is damaged
 * UTF-8, and the invalid bytes become replacement characters.
 */
async function* decodeUnknown(
  chunks: AsyncIterable<Uint8Array>,
  found: { encoding: Encoding },
): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array(0);
  let plain = true;
  let first = true;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const unfinished = found.encoding === 'windows-1252' ? 0 : countUnfinished(bytes);
    rest = bytes.slice(bytes.length - unfinished);
    const piece = decodePiece(bytes.subarray(0, bytes.length - unfinished), plain, found);
    plain &&= isAscii(bytes);
    yield first ? dropMark(piece) : piece;
    if (piece !== '') first = false;
  }
  if (rest.length > 0) yield decodePiece(rest, plain, found);
}

function decodePiece(bytes: Uint8Array, plain: boolean, found: { encoding: Encoding }): string {
  if (found.encoding === 'windows-1252') return decodeWindows1252(bytes);
  if (isUtf8(bytes)) return toText(bytes);
  const isOld = plain && !isDamagedUtf8(bytes);
  found.encoding = isOld ? 'windows-1252' : 'utf-8 with broken bytes';
  return isOld ? decodeWindows1252(bytes) : toText(bytes);
}

/** Counts the bytes of an incomplete character at the end. */
function countUnfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Detects UTF-16 by its byte order mark, or because every second byte is zero. */
function guessWide(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const pairs = Math.min(64, Math.floor(head.length / 2));
  let [even, odd] = [0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    if (head[2 * pair] === 0) even += 1;
    if (head[2 * pair + 1] === 0) odd += 1;
  }
  if (pairs < 2 || Math.max(even, odd) < 0.8 * pairs || Math.min(even, odd) > 0) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Guesses the encoding of text that is not UTF-8, not even damaged UTF-8. */
function guessOld(head: Uint8Array): string | undefined {
  const whole = head.subarray(0, head.length - countUnfinished(head));
  return isUtf8(whole) || isDamagedUtf8(whole) ? undefined : guessEncoding(head);
}

/** Whether most non-ASCII characters are valid. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const beyond = toText(bytes).match(/[^\p{ASCII}]/gu) ?? [];
  return 2 * beyond.filter((character) => character === '\ufffd').length <= beyond.length;
}

function findDecoder(named: string | undefined): string | undefined {
  if (named === undefined) return undefined;
  try {
    const name = new TextDecoder(named).encoding;
    // The detection finds these two itself, even if the file names the wrong one.
    return name === 'utf-8' || name === 'windows-1252' ? undefined : name;
  } catch {
    return undefined;
  }
}

const toText = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
const dropMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** Repairs text in which every UTF-8 byte became a character, as Meta writes it. Other text is unchanged. */
export function repairMojibake(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** Repairs every text inside a value, including keys. */
export function repairMojibakeInside(value: unknown): unknown {
  if (typeof value === 'string') return repairMojibake(value);
  if (Array.isArray(value)) return value.map(repairMojibakeInside);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [repairMojibake(key), repairMojibakeInside(inner)]),
  );
}
