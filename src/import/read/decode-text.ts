import { isAscii, isUtf8 } from 'node:buffer';
import type { InputFile } from '../importer.ts';
import { decodeWindows1252, guessEncoding } from './guess-encoding.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'utf-8 with broken bytes';

export interface DecodedText {
  /** The text in pieces, without a byte order mark. */
  readonly pieces: AsyncIterable<string>;
  encoding(): Encoding;
}

/** Reads a file as text, whatever it was written in. A name that the format gives (`windows-1251`) beats the guess. */
export async function decodeText(file: InputFile, named?: string): Promise<DecodedText> {
  const head = await file.head();
  const known = guessWide(head) ?? findDecoder(named) ?? guessOld(head);
  if (known !== undefined)
    return { pieces: decodeKnown(file.open(), known), encoding: () => known as Encoding };
  const found: { encoding: Encoding } = { encoding: 'utf-8' };
  return { pieces: decodeUnknown(file.open(), found), encoding: () => found.encoding };
}

/** The same for the beginning alone, to look at: what is cut off in the middle of a character is left out. */
export async function peekText(file: InputFile, named?: string): Promise<string> {
  const head = await file.head();
  const known = guessWide(head) ?? findDecoder(named) ?? guessOld(head);
  if (known !== undefined) return new TextDecoder(known).decode(head, { stream: true });
  const whole = head.subarray(0, head.length - countUnfinished(head));
  return dropMark(isUtf8(whole) || isDamagedUtf8(whole) ? toText(whole) : decodeWindows1252(head));
}

/** Whether the bytes of a file are its text in UTF-8 already, without a mark, as far as its beginning tells. */
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
 * UTF-8 until a byte says otherwise. If all before it was plain ASCII the file is of the older kind; else it
 * is UTF-8 with damage, and the damaged bytes are shown as such.
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

/** How many bytes at the end begin a character that goes on after it. */
function countUnfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** UTF-16 by its mark, or by every second byte being zero. */
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

/** Of a text that is no UTF-8, not even with damage. */
function guessOld(head: Uint8Array): string | undefined {
  const whole = head.subarray(0, head.length - countUnfinished(head));
  return isUtf8(whole) || isDamagedUtf8(whole) ? undefined : guessEncoding(head);
}

/** Whether most characters beyond ASCII can still be read. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const beyond = toText(bytes).match(/[^\p{ASCII}]/gu) ?? [];
  return 2 * beyond.filter((character) => character === '\ufffd').length <= beyond.length;
}

function findDecoder(named: string | undefined): string | undefined {
  if (named === undefined) return undefined;
  try {
    const name = new TextDecoder(named).encoding;
    // These are what the guess finds by itself, and finds out when the name lies.
    return name === 'utf-8' || name === 'windows-1252' ? undefined : name;
  } catch {
    return undefined;
  }
}

const toText = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
const dropMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);
