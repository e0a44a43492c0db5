import type { InputFile } from '../../import/importer.ts';

const DATA = Buffer.from('<data');
/** A tag is not longer than this; what follows `<data` without an end is no tag. */
const MAX_TAG_BYTES = 200;

/**
 * The same file with the size of each resource in place of its base64 text. A resource can be 200 MB, which an XML
 * parser would hold as one text.
 */
export function stripResources(file: InputFile): InputFile {
  return { ...file, head: () => file.head(), onDisk: () => file.onDisk(), open: () => strip(file.open()) };
}

async function* strip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting = Buffer.alloc(0);
  /** Base64 characters of the resource that is being dropped; undefined outside of one. */
  let dropped: number | undefined;
  for await (const chunk of chunks) {
    let bytes = waiting.length === 0 ? Buffer.from(chunk) : Buffer.concat([waiting, chunk]);
    waiting = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (dropped !== undefined) {
        const end = bytes.indexOf('<');
        dropped += countBase64(end === -1 ? bytes : bytes.subarray(0, end));
        if (end === -1) break;
        yield Buffer.from(String(Math.floor((dropped * 3) / 4)));
        dropped = undefined;
        bytes = bytes.subarray(end);
      }
      const tag = findDataTag(bytes);
      yield bytes.subarray(0, tag.end);
      bytes = bytes.subarray(tag.end);
      if (tag.kind === 'base64') dropped = 0;
      if (tag.kind === 'unfinished') {
        waiting = Buffer.from(bytes);
        break;
      }
    }
  }
  if (dropped !== undefined) yield Buffer.from(String(Math.floor((dropped * 3) / 4)));
  yield waiting;
}

type Found = { readonly kind: 'none' | 'base64' | 'unfinished'; readonly end: number };

/** The first tag of a resource: up to where it can be copied, and what follows. */
function findDataTag(bytes: Buffer): Found {
  for (let at = bytes.indexOf(DATA); at !== -1; at = bytes.indexOf(DATA, at + 1)) {
    const end = bytes.indexOf('>', at);
    if (end === -1)
      return bytes.length - at > MAX_TAG_BYTES
        ? { kind: 'none', end: bytes.length }
        : { kind: 'unfinished', end: at };
    const tag = bytes.toString('latin1', at, Math.min(end, at + MAX_TAG_BYTES));
    if (/^<data\s[^<]*base64["']\s*$/.test(tag)) return { kind: 'base64', end: end + 1 };
  }
  // The beginning of a tag may be cut off by the end of the piece.
  for (let length = Math.min(DATA.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(DATA.subarray(0, length)))
      return { kind: 'unfinished', end: bytes.length - length };
  return { kind: 'none', end: bytes.length };
}

function countBase64(bytes: Buffer): number {
  let count = 0;
  // Everything above a space but the padding.
  for (const byte of bytes) if (byte > 0x20 && byte !== 0x3d) count += 1;
  return count;
}
